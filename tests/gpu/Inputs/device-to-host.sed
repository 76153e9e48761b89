# Device LLVM IR to something this machine can run: no target, the GPU's square
# root as LLVM's own, precise mode.
/^target /d
/^declare.*llvm.nvvm.reflect/d
/^declare.*llvm.nvvm.sqrt.approx.f/d
s/"target-[a-z]*"="[^"]*"//g
s/call i32 @llvm.nvvm.reflect(ptr [^)]*)/add i32 1, 0/
s/llvm.nvvm.sqrt.rn.d/llvm.sqrt.f64/
s/llvm.nvvm.sqrt.rn.f/llvm.sqrt.f32/
s/llvm.nvvm.sqrt.approx.f/llvm.sqrt.f32/
s/llvm.nvvm.div.rz.d/divideTowardsZero/
s/llvm.nvvm.div.rz.f/divideTowardsZerof/
