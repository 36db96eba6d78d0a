/** The secrets that are looked for in every record: by the name that switches a rule off, and what it finds. */
export const BUILT_IN_RULES = {
  'private-key': 'Private keys',
  'tidemark-key': 'Tidemark keys',
  'aws-access-key': 'AWS access keys',
  'aws-secret-key': 'AWS secret keys',
  'github-token': 'GitHub tokens',
  'gitlab-token': 'GitLab tokens',
  'slack-token': 'Slack tokens',
  'slack-webhook': 'Slack webhook addresses',
  'stripe-key': 'Stripe keys',
  'anthropic-key': 'Anthropic keys',
  'openai-key': 'OpenAI keys',
  'google-api-key': 'Google API keys',
  'google-oauth': 'Google OAuth tokens',
  'npm-token': 'npm tokens',
  'pypi-token': 'PyPI tokens',
  'sendgrid-key': 'SendGrid keys',
  jwt: 'JSON web tokens',
  'url-credentials': 'Credentials in addresses',
  cookie: 'Cookies',
  authorization: 'Authorization headers',
  password: 'Passwords',
  token: 'Tokens',
  'card-number': 'Card numbers',
  field: 'Attributes named like a secret',
} as const

export type BuiltInRule = keyof typeof BUILT_IN_RULES
