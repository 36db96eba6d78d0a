/** Draws the OpenAPI document as one static page: no script, so the strictest policy holds and nothing can go stale. */
import { escapeHtml } from './escape-html.ts'
import type { Component, openApiDocument } from './openapi.ts'

type Operation = {
  summary: string
  description?: string
  responses: Record<string, { description: string }>
  requestBody?: { content: Record<string, { schema: Component }> }
}

export function apiPage({ info, paths, components }: ReturnType<typeof openApiDocument>): {
  html: string
  css: string
} {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) =>
      drawOperation(method, path, operation),
    ),
  )
  const schemas = Object.entries(components.schemas as Record<string, Component>).map(([name, schema]) =>
    drawSchema(name, schema),
  )
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(info.title)} HTTP API</title><link rel="stylesheet" href="/docs.css"></head>
<body><main><h1>${escapeHtml(info.title)} HTTP API</h1><p>${escapeHtml(info.description)} The same in OpenAPI 3.1: <a href="/openapi.json">openapi.json</a>.</p>
<h2>Paths</h2>${operations.join('\n')}<h2>Bodies</h2>${schemas.join('\n')}</main></body></html>`
  return { html, css: CSS }
}

function drawOperation(
  method: string,
  path: string,
  { summary, description, responses, requestBody }: Operation,
): string {
  const bodies = Object.keys(requestBody?.content ?? {})
  const answers = Object.entries(responses).map(
    ([status, answer]) => `<tr><td><code>${escapeHtml(status)}</code></td><td>${prose(answer.description)}</td></tr>`,
  )
  return `<section><h3><span class="method">${escapeHtml(method.toUpperCase())}</span> <code>${escapeHtml(path)}</code></h3><p>${prose(summary)}. ${prose(description ?? '')}</p>
${bodies.length > 0 ? `<p class="muted">Takes ${bodies.map((type) => `<code>${escapeHtml(type)}</code>`).join(', ')}</p>` : ''}
<table class="answers"><thead><tr><th scope="col">Status</th><th scope="col">When</th></tr></thead><tbody>${answers.join('')}</tbody></table></section>`
}

function drawSchema(name: string, { properties = {}, required = [], description = '' }: Component): string {
  const rows = Object.entries(properties).map(
    ([field, schema]) =>
      `<tr><td><code>${escapeHtml(field)}</code></td><td>${typeOf(schema)}</td><td>${required.includes(field) ? 'required' : ''}</td><td>${prose(schema.description ?? '')}</td></tr>`,
  )
  return `<section id="${escapeHtml(name)}"><h3><code>${escapeHtml(name)}</code></h3><p>${prose(description)}</p>
<table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col"></th><th scope="col">Notes</th></tr></thead><tbody>${rows.join('')}</tbody></table></section>`
}

function typeOf({ type, enum: values, $ref, items }: Component): string {
  if ($ref) return reference($ref)
  if (values) return values.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ')
  if (items) return `list of ${items.$ref ? reference(items.$ref) : escapeHtml(String(items.type ?? 'values'))}`
  return escapeHtml([type ?? 'any'].flat().join(' or '))
}

function reference(ref: string): string {
  const name = ref.split('/').at(-1) ?? ''
  return `<a href="#${escapeHtml(name)}"><code>${escapeHtml(name)}</code></a>`
}

/** Backticks become code; everything else is text. */
function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

const CSS = `:root{color-scheme:light dark}
body{margin:0;background:light-dark(#f7f9fa,#0c1115);color:light-dark(#14202b,#e4ecf2);font:13px/1.5 system-ui,sans-serif}
main{max-width:860px;margin:0 auto;padding:32px 16px 64px}
h1{font-size:20px}h2{font-size:15px;margin-top:40px}h3{font-size:13px;margin:0 0 8px}
section{background:light-dark(#fff,#12191f);border:1px solid light-dark(#e1e7ec,#212b34);border-radius:6px;padding:16px;margin:12px 0;overflow-x:auto}
code{font:12px/1.5 ui-monospace,monospace}
.method{color:light-dark(#0b7285,#4dd0e1);font-weight:600}.muted{color:light-dark(#51626f,#9badba)}
a{color:light-dark(#0b7285,#4dd0e1)}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:4px 12px 4px 0;border-top:1px solid light-dark(#e1e7ec,#212b34)}
th{color:light-dark(#51626f,#9badba);font-weight:500;border-top:0}
.answers th:first-child{width:72px}.fields th:nth-child(1){width:24%}.fields th:nth-child(2){width:20%}.fields th:nth-child(3){width:64px}
`
