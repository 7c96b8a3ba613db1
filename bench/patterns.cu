// Accesses that are not neighbours: see README.md. Compiled to patterns.ptx as kernels.cu is.
typedef unsigned int u32;
extern "C" {
// A gather: each thread reads where an index says.
__global__ void p1(const u32* index, const float* x, float* y, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i<n) y[i]=2.0f*x[index[i]];
}
// A scatter.
__global__ void p2(const u32* index, const float* x, float* y, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i<n) y[index[i]]=2.0f*x[i];
}
// Vectors of four.
__global__ void p3(const float4* x, float4* y, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n)return;
  float4 v=x[i]; v.x*=2.0f; v.y*=3.0f; v.z*=4.0f; v.w*=5.0f; y[i]=v;
}
// A transpose of tiles of 32 x 32, by rows of 8.
__global__ void p4(const float* x, float* y, int n){
  __shared__ float tile[32][33];
  int i=blockIdx.x*32+threadIdx.x, j=blockIdx.y*32+threadIdx.y;
  for(int k=0;k<32;k+=8) tile[threadIdx.y+k][threadIdx.x]=x[(j+k)*n+i];
  __syncthreads();
  i=blockIdx.y*32+threadIdx.x; j=blockIdx.x*32+threadIdx.y;
  for(int k=0;k<32;k+=8) y[(j+k)*n+i]=tile[threadIdx.x][threadIdx.y+k];
}
// A sparse matrix (rows of up to 8 numbers) times a vector, a thread a row.
__global__ void p5(const u32* start, const u32* column, const float* value, const float* x, float* y, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n)return;
  float sum=0; u32 end=start[i+1];
  for(u32 k=start[i];k<end;k++) sum+=value[k]*x[column[k]];
  y[i]=sum;
}
// A table of 256 words in shared memory, looked up four times a word.
__global__ void p6(const u32* in, const u32* table, u32* out, int n){
  __shared__ u32 t[256];
  t[threadIdx.x]=table[threadIdx.x]; __syncthreads();
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n)return;
  u32 v=in[i]; out[i]=t[v&255]^t[v>>8&255]^t[v>>16&255]^t[v>>24];
}
}
