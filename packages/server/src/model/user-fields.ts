/** Attributes by which senders name the person that a record is about, the surest first: an id tells more people apart than a name. */
export const USER_FIELDS = [
  'user.id',
  'userId',
  'user_id',
  'usr.id',
  'enduser.id',
  'customer.id',
  'customerId',
  'customer_id',
  'account.id',
  'accountId',
  'account_id',
  'user.email',
  'user.name',
  'username',
  'user',
] as const
