#include "text.h"

static int clamp(int value) {
  return value > TEXT_MAXIMUM ? TEXT_MAXIMUM : value;
}

TEXT_PUBLIC(const char *) Text_Version(void)
{
  return "1.0";
}

TEXT_PUBLIC(int) Text_Length(const Text *text)
{
  return clamp(text->length);
}

TEXT_PUBLIC(void) Text_Free(Text *text)
{
  text->start = 0;
  text->length = 0;
}
