/** The text of the modules as they were imported. */
import type { Language } from '../../../../packages/demo/src/shop/stack-text.ts'
import { soundLimit } from './function-lines.ts'
import { capital, type ShopFunction } from './functions.ts'

const USUAL_LIMIT = 200

/** The two files of a module. */
export function moduleFiles(functions: readonly ShopFunction[]): [string, string][] {
  const first = functions[0]
  if (!first) return []
  const { head, body, tail, callerHead, callerBody, callerTail } = WRITERS[first.language]
  const join = (start: string, parts: string[], end: string) => `${start}\n${parts.join('\n')}${end}`
  return [
    [first.path, join(head(first), functions.map(body), tail)],
    [first.callerPath, join(callerHead(first, functions), functions.map(callerBody), callerTail)],
  ]
}

type Writer = {
  head(of: ShopFunction): string
  body(of: ShopFunction): string
  tail: string
  callerHead(of: ShopFunction, all: readonly ShopFunction[]): string
  callerBody(of: ShopFunction): string
  callerTail: string
}

const WRITERS: Record<Language, Writer> = {
  javascript: {
    head: () => "import { log } from './log.ts'\nimport { read } from './store.ts'\n",
    body: (of) => `export async function ${of.name}(request) {
  const ${of.key}Rows = await read('${of.noun}', request.${of.key}Id)
  const ${of.key}Label = request.${of.key}.name.trim()
  const ${of.key}Limit = ${soundLimit(of, USUAL_LIMIT)}
  log.debug('${of.name} read ' + ${of.key}Rows.length + ' rows for ' + ${of.key}Label)
  return ${of.key}Rows.slice(0, ${of.key}Limit)
}
`,
    tail: '',
    callerHead: ({ module }, all) => `import { ${all.map(({ name }) => name).join(', ')} } from '../${module}.ts'\n`,
    callerBody: (of) => `export async function ${of.caller}(request, reply) {
  const ${of.key} = await ${of.name}(request.body)
  return reply.send(${of.key})
}
`,
    callerTail: '',
  },
  java: {
    head: ({ noun }) => `package com.shop.payments;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

@Service
class ${capital(noun)}Service {
    private static final Logger log = LoggerFactory.getLogger(${capital(noun)}Service.class);
    private final Store store = new Store();
`,
    body: (of) => `    List<Row> ${of.name}(Request request) {
        List<Row> ${of.key}Rows = store.read("${of.noun}", request.${of.key}Id());
        String ${of.key}Label = request.${of.key}().name().trim();
        int ${of.key}Limit = ${soundLimit(of, USUAL_LIMIT)}
        log.debug("${of.name} read {} rows for {}", ${of.key}Rows.size(), ${of.key}Label);
        return ${of.key}Rows.subList(0, ${of.key}Limit);
    }
`,
    tail: '}\n',
    callerHead: ({ noun, module }) => `package com.shop.payments;

import java.util.List;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ${capital(noun)}Controller {
    private final ${capital(noun)}Service ${module};
`,
    callerBody: (of) => `    @PostMapping("${of.route}")
    List<Row> ${of.caller}(Request request) {
        List<Row> ${of.key} = ${of.module}.${of.name}(request);
        return ${of.key};
    }
`,
    callerTail: '}\n',
  },
  python: {
    head: () => 'from catalog.log import log\n\n',
    body: (of) => `def ${of.name}(db, request):
    ${of.key}_rows = db.read("${of.noun}", request["${of.key}_id"])
    ${of.key}_label = request["${of.key}"]["name"].strip()
    ${of.key}_limit = ${soundLimit(of, USUAL_LIMIT)}
    log.debug("${of.name} read %d rows for %s", len(${of.key}_rows), ${of.key}_label)
    return ${of.key}_rows[:${of.key}_limit]

`,
    tail: '',
    callerHead: ({ module }, all) =>
      `from catalog.app import app, db\nfrom catalog.${module} import ${all.map(({ name }) => name).join(', ')}\n\n`,
    callerBody: (of) => `@app.post("${of.route}")
def ${of.caller}(body: dict):
    ${of.key} = ${of.name}(db, body)
    return ${of.key}

`,
    callerTail: '',
  },
  go: {
    head: ({ module }) => `package ${module}

import (
	"log/slog"
	"strings"

	"shop/worker/internal/store"
)
`,
    body: (of) => `func ${of.name}(request store.Request) []store.Row {
	${of.key}Rows := store.Read("${of.noun}", request.ID)
	${of.key}Label := strings.TrimSpace(request.Subject.Name)
	${of.key}Limit := ${soundLimit(of, USUAL_LIMIT)}
	slog.Debug("${of.name} read rows", "${of.key}", len(${of.key}Rows), "label", ${of.key}Label)
	return ${of.key}Rows[:${of.key}Limit]
}
`,
    tail: '',
    callerHead: ({ module }) => `package jobs

import (
	"shop/worker/internal/${module}"
	"shop/worker/internal/store"
)
`,
    callerBody: (of) => `func ${of.caller}(request store.Request) {
	${of.key} := ${of.module}.${of.name}(request)
	store.Save(${of.key})
}
`,
    callerTail: '',
  },
}
