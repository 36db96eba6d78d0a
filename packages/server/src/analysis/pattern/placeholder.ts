/** Stands for what varies, and is the same for every kind of value: an address may be a number today, a name tomorrow. */
export const PLACEHOLDER = '<*>'
