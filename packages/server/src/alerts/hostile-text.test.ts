/** What a log line says must stay what it says: never a link, a mention, a header or markup of a message. */
import { describe, expect, it } from 'vitest'
import type { AlertContent, AlertNote } from './content.ts'
import { mailBody } from './mail-body.ts'
import { slackBody } from './slack-body.ts'
import { webhookBody } from './webhook-message.ts'

const HOSTILE = [
  '<!channel> <!here> <@U123> <#C1>',
  '@channel @here @everyone @all',
  '<https://evil.example|Open the analysis>',
  '[Open the analysis](https://evil.example)',
  'see https://evil.example and www.evil.example',
  '</code><script>alert(1)</script><a href="https://evil.example">x</a>',
  '`*bold*` ```block``` _it_ ~no~',
  'a\r\nBcc: victim@example.com\r\n\r\nbody',
  'a\u2028b\u2029c\u0085d',
  'gnp\u202eexe.\u2066x\u2069',
  'hid\u200bden\u{e0041}\ufeff',
  '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007 \u001b[31mred',
  '&lt;!channel&gt; &amp;',
]

function note(text: string): AlertNote {
  return {
    ...{ reason: 'new_analysis', title: text, environment: text, service: text, since: '2026-01-01T10:00:00Z' },
    facts: [text],
    cause: { kind: 'deploy', title: text, confidence: 'high' },
    ...{
      url: 'https://logs.example/projects/p/analyses/a',
      page: 'the analysis',
      prompt: 'Call get_analysis {"id":"a"}.',
    },
  }
}

function content(text: string, told: number): AlertContent {
  return {
    isTest: false,
    project: { id: 'prj_1', name: text },
    url: 'https://logs.example/projects/p/overview',
    at: '2026-01-01T10:00:01Z',
    together: told > 1 ? 'many' : null,
    told,
    notes: Array.from({ length: Math.min(told, 3) }, () => note(text)),
  }
}

const UNSEEN =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u

describe.each([1, 9])('a message of %i alerts', (told) => {
  it.each(HOSTILE)('has only our own links and no mentions in Slack: %j', (text) => {
    const { text: shown } = JSON.parse(slackBody(content(text, told))) as { text: string }
    const marks = shown.match(/<[^>]*>/g) ?? []
    expect(marks.length).toBeGreaterThan(0)
    for (const mark of marks) expect(mark).toMatch(/^<https:\/\/logs\.example\/[^|]*\|Open the (analysis|overview)>$/)
    expect(shown).not.toMatch(/@/)
    expect(shown.replace(/<[^>]*>/g, '')).not.toMatch(/:\/\/|www\.e/)
    expect(shown.replaceAll('\n', '')).not.toMatch(UNSEEN)
    // Every stranger's word is inside code marks: without them, and the block for the agent, nothing of it is left.
    expect(shown.replace(/```[^`]*```/g, '').replace(/`[^`]*`/g, '')).not.toMatch(
      /evil|channel|here|script|victim|bold/,
    )
  })

  it.each(HOSTILE)('has no forged header, link or markup in mail: %j', (text) => {
    const { subject, text: plain, html } = mailBody(content(text, told))
    expect(subject).not.toMatch(/[\r\n]/)
    expect(subject).not.toMatch(UNSEEN)
    expect(subject).not.toMatch(/:\/\/|www\.e/)
    expect(subject.length).toBeLessThanOrEqual(150)
    expect(plain.replaceAll('https://logs.example', '').replaceAll('\n', '')).not.toMatch(/:\/\/|www\.e/)
    expect(plain).not.toMatch(/^Bcc/m)
    expect(plain.replaceAll('\n', '')).not.toMatch(UNSEEN)
    expect(html).not.toMatch(/<script/)
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)
    expect(links.every((href) => href.startsWith('https://logs.example/'))).toBe(true)
    expect(new Set([...html.matchAll(/<\/?(\w+)/g)].map(([, tag]) => tag))).toEqual(
      new Set(['html', 'body', 'div', 'code', 'a']),
    )
  })

  it.each(HOSTILE)('is one line of seen characters for a webhook: %j', (text) => {
    const { data } = JSON.parse(webhookBody(content(text, told))) as { data: { alerts: Record<string, string>[] } }
    for (const alert of data.alerts) expect(`${alert.title}${alert.environment}`).not.toMatch(UNSEEN)
  })
})

it('of a text of megabytes costs little and says its beginning', () => {
  const huge = content('x\u200b'.repeat(2_000_000), 9)
  expect(slackBody(huge).length).toBeLessThan(15_000)
  expect(mailBody(huge).text.length).toBeLessThan(15_000)
  expect(webhookBody(huge).length).toBeLessThan(15_000)
})

it('says what broke, since when and why in the words of the page', () => {
  const told = content('Card declined', 1)
  expect(
    (JSON.parse(slackBody({ ...told, project: { id: 'p', name: 'Shop' } })) as { text: string }).text,
  ).toMatchInlineSnapshot(`
      "*New error* in \`Card declined\`, \`Card declined\` (\`Shop\`)
      \`Card declined\`
      Since 2026-01-01 10:00 UTC
      \`Card declined\`
      Likely cause: Deploy, high confidence: \`Card declined\`
      <https://logs.example/projects/p/analyses/a|Open the analysis>
      For an agent:
      \`\`\`Call get_analysis {"id":"a"}.\`\`\`"
    `)
})
