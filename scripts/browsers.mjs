/** Chromium's engine without the windows around it. */
export const SHELL = '/usr/bin/chromium-headless-shell'
/** Where systems put Chromium. The first that is there is taken. */
export const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', SHELL]
