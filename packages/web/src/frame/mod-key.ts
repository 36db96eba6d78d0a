const isMac = /mac|iphone|ipad/i.test(navigator.platform)

/** What is held for a shortcut, as the keyboard in front of the reader calls it. */
export const MOD_KEY = isMac ? '⌘' : 'Ctrl'
export const PALETTE_KEYS = isMac ? '⌘K' : 'Ctrl+K'
