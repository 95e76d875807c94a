// Marks a function that host code and kernels both call, in headers that either compiler reads.
#pragma once

#ifdef __CUDACC__
#define RIDGE_ON_BOTH __host__ __device__
#else
#define RIDGE_ON_BOTH
#endif
