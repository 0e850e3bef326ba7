#ifndef TEXT_H
#define TEXT_H

#define TEXT_PUBLIC(type) type
#define TEXT_MAXIMUM 64

/* A piece of text. */
typedef struct Text {
  char *start;
  int length;
} Text;

typedef struct {
  void *(*allocate)(unsigned long size);
} TextHooks;

TEXT_PUBLIC(const char *) Text_Version(void);
TEXT_PUBLIC(int) Text_Length(const Text *text);
TEXT_PUBLIC(void) Text_Free(Text *text);

#endif
