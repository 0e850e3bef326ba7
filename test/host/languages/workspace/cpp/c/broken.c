#include "text.h"

int broken_text(void)
{
  Text text;
  text.missing = 1;
  return Text_Length(text);
}
