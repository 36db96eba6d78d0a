export const AUTHORS = {
  ada: { name: 'Ada Brandt', email: 'ada@shop.example' },
  grace: { name: 'Grace Okafor', email: 'grace@shop.example' },
  linus: { name: 'Linus Vermeer', email: 'linus@shop.example' },
  mei: { name: 'Mei Tanaka', email: 'mei@shop.example' },
  omar: { name: 'Omar Haddad', email: 'omar@shop.example' },
} as const

export type AuthorKey = keyof typeof AUTHORS
