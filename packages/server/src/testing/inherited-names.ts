/** What plain objects answer to although nobody put it there, and what a careless table therefore "finds". */
export const INHERITED_NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty'] as const
