/**
 * A hint for the reader, never a filter: text in logs that speaks to an assistant, or that looks like a command or a link
 * planted to be followed. Cheap on purpose; it will miss some and flag some that mean no harm.
 */
const SIGNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|your|system)\b/i,
  /\b(?:you are (?:now|an?)|act as|pretend to be|from now on|new instructions?|system prompt|developer mode)\b/i,
  /\b(?:assistant|ai agent|language model|llm|claude|chatgpt|copilot|cursor|gemini)\b.{0,60}\b(?:must|should|please|now|run|call|execute|send|read|do not)\b/i,
  /(?:^|[|\n"'>[(])\s*(?:system|assistant|human)\s*[\])]?\s*:/i,
  /<\/?(?:system|assistant|instructions?|tool_call|function_calls?|important|im_start|im_end)\b|<\|[a-z_]+\|>|\[\/?INST\]/i,
  /\b(?:curl|wget|iwr|invoke-webrequest)\b.{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b/i,
  /\b(?:npx|pip install|npm (?:i|install)|powershell|bash -c|sh -c|eval\(|rm -rf|chmod \+x)\b/i,
  /\bbase64\s+(?:-d|--decode)\b/i,
  /!?\[[^\]]{0,200}\]\(\s*(?:https?|data|javascript|file):/i,
  /\b(?:list_projects|list_logs|get_log_context|count_logs|list_fields|list_deploys|list_analyses|get_analysis|tools\/call)\b/i,
  /\b(?:do not|don't|never) (?:tell|inform|mention|reveal|alert|ask) (?:the )?(?:user|human|operator|anyone)\b/i,
  /\b(?:print|reveal|show|send|post|upload|exfiltrate|leak)\b.{0,40}(?:\b(?:secrets?|api keys?|tokens?|credentials|passwords?|env(?:ironment)? variables?)|\.env)\b/i,
  /<<\/?(?:UNTRUSTED_LOG|END)\b/i,
]
/** Nobody hides an instruction behind 4,000 characters of one line and expects it to be read. */
const LOOKED_AT_CHARACTERS = 4_000

export function isInstructionLike(text: string): boolean {
  const looked = text.length > LOOKED_AT_CHARACTERS ? text.slice(0, LOOKED_AT_CHARACTERS) : text
  return SIGNS.some((sign) => sign.test(looked))
}

/** Paths such as `rows[3].message`, at most `most` of them. */
export function instructionLikeFields(value: unknown, most: number): string[] {
  const found: string[] = []
  const visit = (one: unknown, path: string) => {
    if (found.length >= most) return
    if (typeof one === 'string') {
      if (isInstructionLike(one)) found.push(path)
    } else if (Array.isArray(one)) {
      for (const [index, item] of one.entries()) visit(item, `${path}[${index}]`)
    } else if (one !== null && typeof one === 'object') {
      for (const [key, item] of Object.entries(one)) {
        // The sender chose these keys, so neither they nor what is below them is named.
        if (OPEN_RECORDS.has(key)) {
          if (
            Object.entries(item ?? {})
              .flat()
              .some((part) => typeof part === 'string' && isInstructionLike(part))
          ) {
            found.push(path === '' ? key : `${path}.${key}`)
          }
        } else visit(item, path === '' ? key : `${path}.${key}`)
      }
    }
  }
  visit(value, '')
  return found
}

const OPEN_RECORDS = new Set(['attributes', 'metadata', 'by'])
