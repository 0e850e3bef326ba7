const TEST =
  /(^|\/)(tests?|specs?|__tests__|testing)\/|[._-](test|tests|spec|specs|cy)\.\w+$|(^|\/)test_[^/]*\.py$|(Test|Tests|Spec)\.(java|kt|cs|swift|scala|php)$/;

/** Whether a file holds tests, by its path. */
export const isTestFile = (path: string): boolean => TEST.test(path);
