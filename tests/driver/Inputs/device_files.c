// Loaded before cufort-device-info: which files of the NVIDIA driver there are,
// and whether this user may open them, as the environment says.
//   FAKE_FILES=missing    no file
//   FAKE_FILES=control    only the control file, which is somebody else's
//   FAKE_FILES=device     the control file is open to all, the device's is not
//   FAKE_FILES=open       all are open to all
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int access(const char *path, int mode) {
  const char *files = getenv("FAKE_FILES");
  const int control = !strcmp(path, "/dev/nvidiactl"),
            device = !strcmp(path, "/dev/nvidia0");
  if (!files || strncmp(path, "/dev/nvidia", 11))
    return faccessat(-100 /* the current folder */, path, mode, 0);
  if (!strcmp(files, "control"))
    return control && mode == F_OK ? 0 : -1;
  if (!strcmp(files, "open"))
    return 0;
  if (!strcmp(files, "device"))
    return control || (device && mode == F_OK) ? 0 : -1;
  return -1;
}
