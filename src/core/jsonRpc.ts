/** Most messages of one batch: each can cost an answer many times its size. */
export const MAX_BATCH = 1024;
