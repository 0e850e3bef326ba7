function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

parse('{');
throw new Error('planted');
