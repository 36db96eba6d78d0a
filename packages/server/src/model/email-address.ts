/** One plain address, as it goes into the envelope of a mail: no name, no comment, no second one after a comma. */
export const EMAIL_ADDRESS =
  /^[A-Za-z0-9.!#$%&*+/=?^_{|}~-]{1,64}@(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/
