import { ANY_KEY_PREFIX } from '../model/key.ts'
import { isCardNumber } from './card-number.ts'
import { KEYED_SECRETS } from './keyed-secrets.ts'
import type { RedactionRule } from './rule.ts'

/**
 * The secrets that are looked for in every text. Log text is written by strangers, so each pattern must stay linear on
 * hostile input: a token may only begin where the run of its characters begins (the lookbehind), and every gap is bounded.
 */
export const REDACTION_RULES: readonly RedactionRule[] = [
  {
    name: 'private-key',
    // The body is redacted whether or not the end marker follows: a key that was cut is still a key.
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\\\s:,.]|-(?!-))*(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  // Looser than a key is: half of one, and one with a word glued to it, is redacted too.
  { name: 'tidemark-key', pattern: token(`${ANY_KEY_PREFIX}[A-Za-z0-9_-]{16,200}`) },
  { name: 'aws-access-key', pattern: token('(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Z0-9])') },
  { name: 'github-token', pattern: token('(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{40,255})') },
  { name: 'gitlab-token', pattern: token('gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas)-[A-Za-z0-9_.-]{20,255}') },
  {
    name: 'slack-token',
    pattern: token('(?:xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,255}|xapp-\\d-[A-Za-z0-9-]{10,255})'),
  },
  { name: 'slack-webhook', pattern: /(hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]{20,120}/g },
  { name: 'stripe-key', pattern: token('(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9+/=]{24,255})') },
  { name: 'anthropic-key', pattern: token('sk-ant-[A-Za-z0-9_-]{20,255}') },
  {
    name: 'openai-key',
    pattern: token('sk-(?!ant-)(?:proj-|svcacct-|admin-)?(?=[A-Za-z_-]{0,120}\\d)[A-Za-z0-9_-]{20,255}'),
  },
  { name: 'google-api-key', pattern: token('AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])') },
  { name: 'google-oauth', pattern: token('(?:ya29\\.[A-Za-z0-9_-]{20,512}|GOCSPX-[A-Za-z0-9_-]{20,64})') },
  { name: 'npm-token', pattern: token('npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])') },
  { name: 'pypi-token', pattern: token('pypi-[A-Za-z0-9_-]{50,512}') },
  { name: 'sendgrid-key', pattern: token('SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}') },
  { name: 'jwt', pattern: token('eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*)?') },
  ...KEYED_SECRETS,
  {
    name: 'card-number',
    pattern:
      /(?<![\w.-])[2-6]\d{3}(?:[ -]?\d{4}){2,3}[ -]?\d{1,4}(?![\w-]|\.\d)|(?<![\w.-])3\d{3}[ -]?\d{6}[ -]?\d{4,5}(?![\w-]|\.\d)/g,
    accepts: isCardNumber,
  },
]

function token(source: string): RegExp {
  return new RegExp(`(?<![A-Za-z0-9_-])${source}`, 'g')
}
