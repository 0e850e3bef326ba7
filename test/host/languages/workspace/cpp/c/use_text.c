#include "text.h"

int use_text(void)
{
  Text text = { 0, 3 };
  int length = Text_Length(&text) + (Text_Version()[0] == '1');
  Text_Free(&text);
  return length;
}
