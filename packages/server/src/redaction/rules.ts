import { ANY_KEY_PREFIX } from '../model/key.ts'
import { isCardNumber } from './card-number.ts'
import { KEYED_SECRETS } from './keyed-secrets.ts'
import type { RedactionRule } from './rule.ts'
import { SERVICE_HINT, TOKEN_HINT } from './secret-bytes.ts'
import { PRIVATE_KEY_BEGIN, privateKeyEnd } from './secret-end.ts'
import { apart, MIXED, SERVICE_TOKENS, SLASH } from './service-tokens.ts'

/** Those with a name of their own. */
const TOKENS: readonly RedactionRule[] = [
  // The body is redacted whether or not the end marker follows: a key that was cut is still a key.
  { name: 'private-key', pattern: token(`(?=${PRIVATE_KEY_BEGIN})`), end: privateKeyEnd },
  // Base64 of `-----BEGIN `, as Kubernetes and CI variables hold it.
  {
    name: 'private-key',
    pattern: /LS0tLS1CRUdJTi[A-Za-z0-9+/_-]{40,16000}={0,2}/g,
    accepts: (secret) => Buffer.from(secret.slice(0, 80), 'base64').includes('PRIVATE KEY'),
  },
  { name: 'private-key', pattern: /(Private-Lines: \d{1,4}(?:[\r\n]|\\[rn])+)(?:[A-Za-z0-9+/=]|[\r\n]|\\[rn])+/g },
  // Looser than a key is: half of one, and one with a word glued to it, is redacted too.
  { name: 'tidemark-key', pattern: token(`${ANY_KEY_PREFIX}[A-Za-z0-9_-]{16,200}`) },
  {
    name: 'aws-access-key',
    pattern: token(
      `(?:${apart('A(?:KIA|SIA|BIA|CCA)', 'A-Z')}[A-Z2-7]{16}(?![A-Z0-9])|A(?:KIA|SIA|BIA|CCA)(?=[A-Z]{0,15}[2-7])[A-Z2-7]{16})`,
    ),
  },
  // The session token of temporary keys, by the few ways in which it begins.
  { name: 'aws-secret-key', pattern: token('(?:IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz)[A-Za-z0-9/+_=%-]{80,4000}') },
  { name: 'github-token', pattern: token('(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{40,255})') },
  {
    name: 'gitlab-token',
    pattern: token(
      `(?:glpat-|${apart('gl(?:dt|rt|cbt|ptt|ft|imt|agent|soat|oas)-', 'A-Za-z0-9_-')}|gl(?:dt|rt|cbt|ptt|ft|imt|agent|soat|oas)-(?=[A-Za-z_-]{0,30}\\d))[A-Za-z0-9_.-]{20,255}`,
    ),
  },
  {
    name: 'slack-token',
    pattern: token(
      `(?:${apart('xox[a-eoprs]', 'A-Za-z0-9_-')}(?:\\.xox[bp])?-[A-Za-z0-9%-]{10,255}|xox[a-eoprs](?:\\.xox[bp])?-\\d[A-Za-z0-9%-]{9,255}|xoxd-[A-Za-z0-9%+/=-]{20,255}|xapp-\\d-[A-Za-z0-9-]{10,255}|xwfp-\\d[A-Za-z0-9-]{10,255})`,
    ),
  },
  {
    name: 'slack-webhook',
    pattern: token(
      `(hooks\\.slack\\.com${SLASH}(?:services|workflows|triggers)${SLASH})(?:[A-Za-z0-9_-]|${SLASH}){20,120}`,
    ),
  },
  {
    name: 'stripe-key',
    pattern: token(
      `(?:${apart('[sr]k_(?:live|test)_')}[A-Za-z0-9]{16,255}|[sr]k_(?:live|test)_${MIXED}[A-Za-z0-9]{24,255}|whsec_[A-Za-z0-9+/=]{24,255})`,
    ),
  },
  { name: 'anthropic-key', pattern: token('sk-ant-[A-Za-z0-9_-]{20,255}') },
  {
    name: 'openai-key',
    pattern: token(
      `(?:${apart('sk-')}(?!ant-)(?=[A-Za-z_-]{0,120}\\d)[A-Za-z0-9_-]{20,255}|sk-(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,255}|sk-${MIXED}[A-Za-z0-9]{40,255})`,
    ),
  },
  {
    name: 'google-api-key',
    pattern: token(`(?:AIzaSy[A-Za-z0-9_-]{33}|${apart('AIza', 'A-Za-z0-9_-')}[A-Za-z0-9_-]{35})`),
  },
  {
    name: 'google-oauth',
    pattern: token(
      '(?:ya29\\.[A-Za-z0-9_-]{20,512}|GOCSPX-[A-Za-z0-9_-]{20,64}|1(?:\\\\{0,7}/){2}0[A-Za-z0-9_-]{60,512})',
    ),
  },
  // A cache key may end with a hash after the same prefix.
  { name: 'npm-token', pattern: token('npm_(?![0-9a-f]{37})[A-Za-z0-9]{36}') },
  { name: 'pypi-token', pattern: token('pypi-[A-Za-z0-9_-]{50,512}') },
  { name: 'sendgrid-key', pattern: token('SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}') },
  {
    name: 'jwt',
    // Takes the run of its characters in any case, so that no run is read twice; `accepts` checks its parts. Encrypted
    // tokens may have an empty second part.
    pattern: token('eyJ[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]+|\\.(?=\\.)){0,4}'),
    accepts: (secret) => /^[^.]+\.(?:eyJ|\.[^.]{12,}\.[^.]|[^.]*\.?[^.]{20})/.test(secret),
  },
]

/**
 * The secrets that are looked for in every text. Log text is untrusted, so each pattern must stay linear on hostile input:
 * every repeat is bounded, or it consumes the run that it reads. Logs glue escapes, colours and names to tokens. A token
 * with a distinctive beginning may therefore begin anywhere; where words can begin like it, the rest must look random.
 */
export const REDACTION_RULES: readonly RedactionRule[] = [
  ...TOKENS.map((rule) => ({ ...rule, needs: TOKEN_HINT })),
  ...SERVICE_TOKENS.map((rule) => ({ ...rule, needs: SERVICE_HINT })),
  ...KEYED_SECRETS,
  {
    name: 'card-number',
    pattern: token(
      `${apart('[2-6]', '\\w.-')}(?<!(?:\\+|%[0-9A-Fa-f]?)[2-6])(?:\\d{3}(?:[ -]?\\d{4}){2,3}[ -]?\\d{1,4}|(?<=3)\\d{3}[ -]?\\d{6}[ -]?\\d{4,5})(?![\\w-]|\\.\\d)`,
    ),
    accepts: isCardNumber,
  },
]

function token(source: string): RegExp {
  return new RegExp(source, 'g')
}
