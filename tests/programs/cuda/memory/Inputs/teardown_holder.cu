#include "teardown_holder.h"

Holder otherBefore(Holder::Later), otherNow(Holder::Now);
