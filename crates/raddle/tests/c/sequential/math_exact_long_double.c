#define REAL long double
#define SUFFIX l
#define LARGEST 32767
#define BIAS 16383
#define SEED 13
#include "math_exact.h"
