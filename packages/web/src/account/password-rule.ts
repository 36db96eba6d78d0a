/** The service checks it; said here so that nobody has to try. */
export const PASSWORD_HINT = 'At least 8 characters.'
