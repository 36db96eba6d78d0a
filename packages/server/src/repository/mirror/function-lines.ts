/**
 * How git finds the function that a change stands in. It knows many languages, but has to be told which files are of which;
 * for JavaScript and TypeScript it has to be told what begins a function as well.
 */

/** Kept in the mirror as `info/attributes`: a mirror has no checkout, so no file of the repository can add to it. */
export const ATTRIBUTES = `${[
  ['javascript', 'js jsx mjs cjs ts tsx mts cts vue svelte'],
  ['python', 'py pyi'],
  ['java', 'java'],
  ['kotlin', 'kt kts'],
  ['golang', 'go'],
  ['csharp', 'cs'],
  ['php', 'php'],
  ['ruby', 'rb rake'],
  ['rust', 'rs'],
  ['cpp', 'c cc cpp cxx h hh hpp'],
  ['elixir', 'ex exs'],
  ['bash', 'sh bash'],
]
  .flatMap(([driver, extensions]) => extensions!.split(' ').map((extension) => `*.${extension} diff=${driver}`))
  .join('\n')}\n`

const NAME = '[A-Za-z_$][A-Za-z0-9_$]*'
const WORDS =
  '((export|default|async|static|public|private|protected|override|readonly|abstract|declare|get|set)[ \t]+)*'

const CSHARP_WORDS =
  '((public|private|protected|internal|static|virtual|override|abstract|sealed|async|partial|new|unsafe|readonly)[ \t]+)*'

/** What the outer brackets hold is what git tells. */
export const FUNCTION_LINES: Record<string, string> = {
  'diff.javascript.xfuncname': [
    '!^[ \t]*(if|for|while|switch|catch|return|else|do|await|throw|new|yield|import|case)[^A-Za-z0-9_$]',
    `^([ \t]*${WORDS}(function|class|interface|namespace)[ \t*]+${NAME}.*)$`,
    `^([ \t]*${WORDS}(const|let|var)[ \t]+${NAME}[^=]*=[ \t]*(async[ \t]*)?(function|\\(|${NAME}[ \t]*=>).*)$`,
    `^([ \t]+${WORDS}[*#]?${NAME}[ \t]*(<[^(]*>)?\\(.*\\{[ \t]*)$`,
  ].join('\n'),
  // Git's own wants the brace on the next line.
  'diff.csharp.xfuncname': [
    '!^[ \t]*(if|for|foreach|while|switch|catch|return|else|do|await|throw|using|lock|yield|case|var)[^A-Za-z0-9_]',
    `^([ \t]*${CSHARP_WORDS}(class|struct|interface|record|enum|namespace)[ \t]+.*)$`,
    `^([ \t]*${CSHARP_WORDS}[][<>?,.A-Za-z0-9_]+[ \t]+[<>.A-Za-z0-9_]+[ \t]*\\([^;]*)$`,
  ].join('\n'),
}
