// cc: -pthread
#include <pthread.h>
#include <stdio.h>
static void gone(void *value) { printf("gone %d\n", *(int *)value); }
int main(void) {
  pthread_key_t keys[3], key;
  int a = 1, b = 2;
  for (int i = 0; i < 3; i++) pthread_key_create(&keys[i], gone);
  pthread_setspecific(keys[0], &a);
  pthread_setspecific(keys[1], &b);
  for (int i = 0; i < 200; i++) {
    if (pthread_key_create(&key, 0) != 0) { printf("no key\n"); break; }
    printf("%d", pthread_getspecific(key) == 0);
    pthread_setspecific(key, &a);
    pthread_key_delete(key);
  }
  printf("\n%d\n", *(int *)pthread_getspecific(keys[1]));
  printf("%d\n", pthread_setspecific(key, &b));
  pthread_key_delete(keys[1]);
  pthread_key_create(&key, gone);
  printf("%d\n", pthread_getspecific(key) == 0);
  return 0;
}
