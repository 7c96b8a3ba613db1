// What the six workloads do not have: see README.md. Compiled to patterns.ptx as kernels.cu is.
#include <cuda_fp16.h>
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
// The sum of a block: a warp at a time by shuffles, then of the warps' sums.
__global__ void p7(const float* in, float* out, int n){
  __shared__ float part[8];
  int i=blockIdx.x*blockDim.x+threadIdx.x; float v=i<n?in[i]:0;
  for(int d=16;d;d>>=1) v+=__shfl_down_sync(~0u,v,d);
  if(threadIdx.x%32==0) part[threadIdx.x/32]=v;
  __syncthreads();
  if(threadIdx.x<32){
    v=threadIdx.x<8?part[threadIdx.x]:0;
    for(int d=4;d;d>>=1) v+=__shfl_down_sync(~0u,v,d);
    if(threadIdx.x==0) out[blockIdx.x]=v;
  }
}
// Running sums of each block.
__global__ void p8(const u32* in, u32* out, int n){
  __shared__ u32 part[8];
  int i=blockIdx.x*blockDim.x+threadIdx.x, lane=threadIdx.x%32, warp=threadIdx.x/32; u32 v=i<n?in[i]:0;
  for(int d=1;d<32;d*=2){ u32 w=__shfl_up_sync(~0u,v,d); if(lane>=d) v+=w; }
  if(lane==31) part[warp]=v;
  __syncthreads();
  if(warp==0){
    u32 s=lane<8?part[lane]:0;
    for(int d=1;d<8;d*=2){ u32 w=__shfl_up_sync(~0u,s,d); if(lane>=d) s+=w; }
    if(lane<8) part[lane]=s;
  }
  __syncthreads();
  if(warp) v+=part[warp-1];
  if(i<n) out[i]=v;
}
// Keeps what is odd, behind its count: ballot, one atomic a warp, a place for each.
__global__ void p9(const u32* in, u32* out, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x, lane=threadIdx.x%32; u32 v=i<n?in[i]:0;
  u32 keep=__ballot_sync(~0u,v&1), at=0;
  if(lane==0) at=1+atomicAdd(out,__popc(keep));
  at=__shfl_sync(~0u,at,0)+__popc(keep&((1u<<lane)-1));
  if(v&1) out[at]=v;
}
// A softmax of rows of 256 numbers, a warp a row.
__global__ void p10(const float* in, float* out, int n){
  int warp=(blockIdx.x*blockDim.x+threadIdx.x)/32, lane=threadIdx.x%32; float v[8], m=-1e30f, s=0;
  for(int k=0;k<8;k++){ v[k]=in[warp*256+k*32+lane]; m=fmaxf(m,v[k]); }
  for(int d=16;d;d>>=1) m=fmaxf(m,__shfl_xor_sync(~0u,m,d));
  for(int k=0;k<8;k++){ v[k]=__expf(v[k]-m); s+=v[k]; }
  for(int d=16;d;d>>=1) s+=__shfl_xor_sync(~0u,s,d);
  for(int k=0;k<8;k++) out[warp*256+k*32+lane]=v[k]/s;
}
// Gravity of 256 bodies, by tiles in shared memory.
__global__ void p11(const float4* in, float4* out, int n){
  __shared__ float4 tile[64];
  int i=blockIdx.x*blockDim.x+threadIdx.x; float4 p=in[i]; float x=0,y=0,z=0;
  for(int t=0;t<4;t++){
    __syncthreads();
    if(threadIdx.x<64) tile[threadIdx.x]=in[t*64+threadIdx.x];
    __syncthreads();
    for(int k=0;k<64;k++){
      float4 q=tile[k]; float dx=q.x-p.x,dy=q.y-p.y,dz=q.z-p.z, r=rsqrtf(dx*dx+dy*dy+dz*dz+1e-3f), f=q.w*r*r*r;
      x+=f*dx; y+=f*dy; z+=f*dz;
    }
  }
  out[i]=make_float4(x,y,z,0);
}
// Double precision: a polynomial by Horner's rule.
__global__ void p12(const double* in, double* out, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n)return;
  double x=in[i], y=1;
  for(int k=0;k<16;k++) y=y*x+0.5;
  out[i]=y;
}
// Half precision, two numbers a word.
__global__ void p13(const __half2* x, const __half2* y, __half2* z, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i<n) z[i]=__hfma2(x[i],__float2half2_rn(1.5f),y[i]);
}
// Numbers to bins: lanes with the same one add together.
__global__ void p14(const u32* in, u32* bins, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x, lane=threadIdx.x%32; u32 v=in[i]&15;
  u32 same=__match_any_sync(~0u,v);
  if(__ffs(same)-1==lane) atomicAdd(&bins[v],__popc(same));
}
// A hash of 64 bits, by products and rotations.
__global__ void p15(const unsigned long long* in, unsigned long long* out, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n)return;
  unsigned long long h=in[i];
  for(int k=0;k<8;k++){ h^=h>>33; h*=0xff51afd7ed558ccdull; h=h<<27|h>>37; }
  out[i]=h;
}
// ChaCha's quarter rounds: additions, exclusive ors, rotations of 32 bits.
__global__ void p16(const u32* in, u32* out, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n)return;
  u32 a=in[i],b=a^0x9e3779b9u,c=a+1,d=i;
  for(int k=0;k<10;k++){
    a+=b; d^=a; d=__funnelshift_l(d,d,16); c+=d; b^=c; b=__funnelshift_l(b,b,12);
    a+=b; d^=a; d=__funnelshift_l(d,d,8); c+=d; b^=c; b=__funnelshift_l(b,b,7);
  }
  out[i]=a^b^c^d;
}
// Grey of a pixel, in floating point, with clamping: conversions, minimum and maximum.
__global__ void p17(const u32* in, u32* out, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n)return;
  u32 v=in[i]; float g=0.299f*(v&255)+0.587f*(v>>8&255)+0.114f*(v>>16&255);
  g=fminf(fmaxf(fabsf(g-16.0f)*1.1f,0.0f),255.0f); out[i]=(u32)g*0x10101u|v&0xff000000u;
}
// A stencil of doubles, through shared memory.
__global__ void p18(const double* in, double* out, int n){
  __shared__ double t[258];
  int i=blockIdx.x*blockDim.x+threadIdx.x, k=threadIdx.x+1;
  t[k]=in[i]; if(k==1) t[0]=i?in[i-1]:0; if(k==256) t[257]=i+1<n?in[i+1]:0;
  __syncthreads();
  out[i]=0.25*t[k-1]+0.5*t[k]+0.25*t[k+1];
}
// Generic addresses: of shared or of global memory, as it turns out.
__global__ void p19(const float* in, float* out, int n){
  __shared__ float t[256];
  int i=blockIdx.x*blockDim.x+threadIdx.x; t[threadIdx.x]=in[i]+1.0f;
  __syncthreads();
  const float* x=blockIdx.x&1?(const float*)t-blockIdx.x*256:in; float s=0;
  for(int k=0;k<4;k++) s+=x[i^k];
  out[i]=s;
}
// Each thread counts in an array of its own, indexed by what it reads: local memory.
__global__ void p20(const u32* in, u32* out, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n)return;
  u32 count[16]; for(int k=0;k<16;k++) count[k]=0;
  u32 v=in[i]; for(int k=0;k<8;k++) count[v>>4*k&15]++;
  u32 s=0; for(int k=0;k<16;k++) s=s*5+count[k];
  out[i]=s;
}
// Floats added to bins in global memory.
__global__ void p21(const u32* in, float* bins, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n)return;
  u32 v=in[i]; atomicAdd(&bins[v>>22],1.0f);
}
// Pixels of four bytes, each byte by itself.
__global__ void p22(const uchar4* in, uchar4* out, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n)return;
  uchar4 p=in[i]; unsigned char g=(p.x*77+p.y*151+p.z*28)>>8; out[i]=make_uchar4(g,g,g,p.w);
}
// A filter with its weights in constant memory.
__constant__ float weights[9]={.02f,.05f,.12f,.2f,.22f,.2f,.12f,.05f,.02f};
__global__ void p23(const float* in, float* out, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n)return;
  float s=0; for(int k=0;k<9;k++){ int j=i+k-4; j=j<0?0:j>=n?n-1:j; s+=weights[k]*in[j]; }
  out[i]=s;
}
// Numbers to lists by their bin, each at the next place.
__global__ void p24(const u32* in, u32* out, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n)return;
  u32 v=in[i], bin=v>>28, at=atomicAdd(&out[bin],1); if(at<65536) out[16+bin*65536+at]=v;
}
// The greatest number of each row of 1024 by a tree in shared memory, half as many threads each time.
__global__ void p25(const int* in, int* out, int n){
  __shared__ int t[256];
  int i=blockIdx.x*blockDim.x+threadIdx.x; t[threadIdx.x]=in[i];
  __syncthreads();
  for(int d=blockDim.x/2;d;d/=2){ if(threadIdx.x<d) t[threadIdx.x]=max(t[threadIdx.x],t[threadIdx.x+d]); __syncthreads(); }
  if(threadIdx.x==0) atomicMax(&out[blockIdx.x/4],t[0]);
}
// A hash table of a million places: each number takes the next free one.
__global__ void p26(const u32* in, u32* table, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n/2)return;
  u32 v=in[i]|1, h=v*0x9e3779b9u>>12;
  while(true){ u32 old=atomicCAS(&table[h],0u,v); if(old==0||old==v) break; h=(h+1)&(n-1); }
}
// Keeps what is below a bound, each thread in a loop over the grid.
__global__ void p27(const u32* in, u32* out, int n){
  for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=gridDim.x*blockDim.x){
    u32 v=in[i]; if(v<0x40000000u) out[1+atomicAdd(out,1)]=v;
  }
}
// Eight operations, one of them for each number: a switch.
__global__ void p28(const u32* in, u32* out, int n){
  int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n)return;
  u32 v=in[i], x=v;
  for(int k=0;k<4;k++) switch(v>>8*k&7){
    case 0: x+=v; break; case 1: x^=v>>3; break; case 2: x*=3; break; case 3: x=x<<5|x>>27; break;
    case 4: x-=k; break; case 5: x=~x; break; case 6: x=x*x+1; break; default: x|=1u<<k; x*=7; break;
  }
  out[i]=x;
}
// One thread adds up what all of its block have written.
__global__ void p29(const float* in, float* out, int n){
  __shared__ float t[256];
  int i=blockIdx.x*blockDim.x+threadIdx.x; t[threadIdx.x]=in[i];
  __syncthreads();
  if(threadIdx.x==0){ float s=0; for(int k=0;k<blockDim.x;k++) s+=t[k]; out[blockIdx.x]=s; }
}
}
