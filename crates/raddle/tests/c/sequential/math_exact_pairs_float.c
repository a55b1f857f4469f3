#define REAL float
#define SUFFIX f
#define LARGEST 255
#define BIAS 127
#define SEED 11
#include "math_exact_pairs.h"
