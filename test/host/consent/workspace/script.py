def clean(paths):
    for path in paths:
        # Only what is safe.
        if is_safe(path):
            log(path)
            remove(path)
