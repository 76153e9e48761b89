double precision :: d
real :: r
print '(3(1x,i0))', kind(d), kind(r), kind(1d0)
end
