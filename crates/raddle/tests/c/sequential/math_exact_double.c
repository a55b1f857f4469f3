#define REAL double
#define SUFFIX 
#define LARGEST 2047
#define BIAS 1023
#define SEED 12
#include "math_exact.h"
