/**
 * What text that speaks to an assistant looks like, family by family. Each sign is a form in which such texts were
 * seen, narrow enough to leave ordinary log lines alone: an imperative with an address is a sign, the report that a
 * request failed is not. Every repetition has a bound, so the time is linear in the text whoever wrote it.
 */
import { TOOL_NAMES } from '../tool-names.ts'
import { LANGUAGES } from './instruction-languages.ts'
import { type Family, START, sign, URL } from './instruction-words.ts'

const MUST =
  '\\b(?:please|you|you must|must|should|need to|have to|has to|asked to|told to|instructed to|wants? you to)\\s'
/** What a log says about a request that was made. */
const OUTCOME =
  '(?:failed|fails|failure|error|errored|returned|returns|responded|answered|timed|timeout|took|refused|connection|unreachable|denied|rejected|aborted|got|status|gave|was|is|has|did|could|cannot|exceeded|succeeded|ok\\b|done|completed|in \\d|after \\d|[1-5]\\d\\d\\b|\\(|->|=>|E(?:CONN|HOST)\\w{1,10}|ENOTFOUND|ETIMEDOUT|EPIPE)'
/** The rest of an address, taken whole, and then something that is not an outcome. */
const REST_OF_URL = '(?=(\\S{1,400}))\\1(?!\\s{0,3}[:,-]?\\s{0,3}OUTCOME)'.replace('OUTCOME', OUTCOME)
const SECRET =
  '(?:secrets?|(?:api|access|private|ssh|secret|signing|encryption)[ _-]?keys?|keys|tokens?|credentials?|passwords?|env(?:ironment)? variables?|connection strings?|cookies|\\.env|\\.ssh|\\/etc\\/passwd)\\b(?!\\s{1,2}(?:reset|change|policy|hash|refresh|expired?|count|usage|limit|used|mail|e-?mail|form|page|event|metric|notification))'
const TEXT_ABOUT_TEXT =
  '(?:instruct\\w{0,8}|prompts?|rules?|guidelines?|directions?|directives?|polic(?:y|ies)|constraints?|context|conversation|messages?|programming|training|safety)'
const VERBS =
  '(?:please|you|run|call|execute|send|read|fetch|open|delete|ignore|stop|use|now|do|can|list|print|tell|reply|if|before|rotate|close|approve|summari[sz]e|forward)'
const TAG_NAMES =
  '(?:system[_-](?:reminder|prompt|message|instructions?)|assistant|human|developer_?(?:message|prompt)|instructions?|evidence|prompt|untrusted\\w{0,20}|trusted\\w{0,20}|tools?|tool[_-]?(?:calls?|use|uses|results?|response|output|input|code)|function[_-](?:calls?|results?|response|output)|invoke|antml:\\w{1,20}|thinking|scratchpad|important|im_start|im_end|end_of_turn|start_of_turn)'

export const FAMILIES: readonly Family[] = [
  {
    name: 'blocks of a conversation',
    hints: [
      '<',
      '[inst',
      '[/inst',
      '[sys',
      '[/sys',
      'assistant',
      'human',
      'system',
      'developer',
      'admin',
      'operator',
      'role',
      '#',
      'begin',
      'end of',
      'end ',
    ],
    signs: [
      // The events of Windows have a part of that name.
      sign(
        '(?<!\\/>\\s{0,4})<\\/?system(?=[\\s>/]|$)(?!\\s{0,4}>\\s{0,4}<(?:Provider|EventData|UserData|RenderingInfo))',
      ),
      sign('<\\s{1,4}\\/?\\s{0,4}system\\s{0,4}>'),
      sign(`<\\/?${TAG_NAMES}(?=[\\s>/]|$)`),
      sign(`<\\s{0,4}\\/\\s{0,4}${TAG_NAMES}(?=[\\s>/]|$)`),
      sign(`<\\s{1,4}${TAG_NAMES}\\s{0,4}>`),
      sign('<\\|[\\w ]{1,40}\\|>|\\[\\/?(?:INST|SYS)\\]|<<\\/?SYS>>|<[｜|](?:begin|end|user|assistant|system)'),
      sign('<<\\s{0,4}\\/?(?:UNTRUSTED_LOG|END)\\b'),
      sign(`${START}(?:assistant|human)\\s{0,2}[\\])]?\\s{0,2}:(?!:)`),
      sign(
        `${START}(?:system|developer|admin|operator)\\s{0,2}[\\])]?\\s{0,2}:(?!:)\\s{0,4}(?:you\\b|your\\b|ignore\\b|disregard\\b|forget\\b|from now on|new (?:task|rules?|instructions?)|the (?:assistant|agent|model|user (?:has|is|wants|asked|authori))|(?:assistants?|agents?) (?:must|should|may|can)\\b|do not\\b|always\\b|reply\\b|respond\\b)`,
      ),
      sign('["\']role["\']\\s{0,4}:\\s{0,4}["\'](?:system|assistant|developer|tool)["\']'),
      sign(
        `${START}#{1,6}\\s{0,3}(?:system|instructions?|new task|assistant|important instructions?)\\b\\s{0,2}(?::|\\n|⏎|$)`,
      ),
      sign(
        '\\b(?:begin|end)(?:ning)? (?:of )?(?:the )?(?:system|evidence|untrusted|trusted|tool|user) ?(?:prompt|message|content|input|output|results?|section|block|data|text|log)?\\b(?=[\\s>\\]=-]{0,3}(?:$|[\\n⏎>\\]=.-]))',
      ),
    ],
  },
  {
    name: 'what was said before, and who one is',
    hints: [
      'ignore',
      'disregard',
      'forget',
      'override',
      'bypass',
      'discard',
      'you are',
      "you're",
      'act as',
      'behave as',
      'respond as',
      'answer as',
      'pretend',
      'from now on',
      'instruction',
      'prompt',
      'rules',
      'guideline',
      'jailbreak',
      ' mode',
      ' task',
      ' goal',
      'objective',
      'mission',
      'repeat ',
      'stop what',
    ],
    signs: [
      sign(
        `\\b(?:ignore|disregard|forget|override|bypass|discard)\\b.{0,40}\\b(?:previous|prior|above|earlier|preceding|foregoing|all|any|your|system|every)\\b.{0,30}\\b${TEXT_ABOUT_TEXT}\\b`,
      ),
      sign(
        '\\b(?:ignore|disregard|forget)\\s{1,3}(?:(?:all|everything|anything|whatever|what)\\s{1,3})?(?:of\\s{1,3})?(?:the\\s{1,3})?(?:(?:that\\s|you\\s)?(?:was|is|were|came|have|been|told|said|read)\\s{1,3}){0,4}(?:above|before|previous(?:ly)?|prior|earlier)\\s{0,2}(?:$|[.,;:!\\n⏎]|\\b(?:and|then|this)\\b)',
      ),
      sign(`\\b(?:forget|disregard)\\s{1,3}(?:all\\s|everything\\s)?(?:about\\s)?your\\s{1,3}${TEXT_ABOUT_TEXT}`),
      sign(
        '\\byou are now\\s(?!connected|logged|signed|subscribed|registered|online|offline|ready|running|using|on\\b|being|able|unsubscribed|logged|leaving|entering the queue|number)',
      ),
      sign(
        "\\byou(?: are|'re) (?:now )?(?:an? )?(?:(?:helpful|unrestricted|different|powerful|autonomous|coding|security|senior|expert|new) ){0,3}(?:ai\\b|assistant|agent\\b|chat ?bot|language model|llm|hacker|root\\b|dan\\b)",
      ),
      sign(
        '\\b(?:act|behave|respond|answer) as (?:if you|though you|an? (?:admin|root|ai|assistant|agent|developer|expert|different|unrestricted|hacker)|root\\b|admin|the (?:system|admin|operator|assistant))',
      ),
      sign('\\bpretend (?:to be|that you|you are)\\b'),
      sign('\\bfrom now on\\b.{0,20}\\b(?:you|answer|respond|reply|always|never|act|only|ignore|do not|speak)\\b'),
      sign('\\bnew instructions?\\b\\s{0,2}(?:[:<.!]|$|(?:from|for|follow|supersede|replace|are|override)\\b)'),
      sign(
        '\\bsystem prompts?\\b|\\bjailbreak\\b|\\b(?:enter|switch to|activate|enable) (?:developer|god|dan|unrestricted|jailbreak) mode\\b',
      ),
      sign('\\b(?:your|all|any) (?:previous|prior|earlier|old|original) (?:instructions?|rules|guidelines|prompt)\\b'),
      sign(
        "\\b(?:hidden|initial|secret|original) prompt\\b|\\brepeat (?:everything|all|the (?:text|words)) (?:above|before|that)|\\bstop what you(?: are|'re) doing\\b",
      ),
      sign('\\b(?:your|the) (?:real|actual|true|new|only) (?:task|goal|instructions?|objective|mission) (?:is|are)\\b'),
    ],
  },
  {
    name: 'an assistant is spoken to',
    hints: [
      'assistant',
      'agent',
      'model',
      'llm',
      'claude',
      'gpt',
      'copilot',
      'gemini',
      'cursor',
      'ai ',
      'ai,',
      'ai:',
      ' ai',
      'bot',
      'do not',
      "don't",
      'never ',
      'without ',
      'no need',
      ...TOOL_NAMES,
      'tools/call',
    ],
    signs: [
      sign(
        '\\battention,? (?:all )?(?:ai\\b|llms?\\b|assistants?\\b|(?:ai|coding) agents?\\b|language models?|claude|copilot)',
      ),
      sign(
        "\\b(?:assistants?|(?:ai|coding|sre) agents?|language models?|llms?|claude|chatgpt|gpt-?\\d|copilot|gemini)\\b.{0,40}\\b(?:must(?! (?:be|have))|should(?! (?:be|have))|please|needs to|is (?:instructed|required|authori[sz]ed|asked) to|has to|do not|don't)\\b",
      ),
      sign(`\\b(?:assistant|ai agent|agent|claude|chatgpt|copilot|cursor|gemini|llm|ai)\\s{0,2},\\s{1,3}${VERBS}\\b`),
      sign(`${START}(?:(?:coding|ai) agents?|claude|chatgpt|copilot|llms?|ai)\\s{0,2}:\\s{1,3}${VERBS}\\b`),
      sign(
        '\\b(?:note|message|attention|instructions?|warning|memo|tasks?) (?:to|for) (?:the |any |all )?(?:ai\\b|llm|assistant|agents?\\b|language model|bots?\\b|model\\b|claude|copilot)',
      ),
      sign(
        '\\b(?:ai|llm|assistant|agent|model|bot)s? (?:reading|processing|analy[sz]ing|viewing|summari[sz]ing|that reads?|who reads?) (?:this|these|the (?:logs?|error|message))',
      ),
      sign('\\bif you are (?:an? |the )?(?:ai\\b|llm|assistant|agent|language model|bot)\\b'),
      sign(
        "\\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|mention(?:ing)?|reveal(?:ing)?|alert(?:ing)?|ask(?:ing)?|notify|notifying|show(?:ing)?)(?: this| it| anything)?(?: to)? (?:the )?(?:user|human|operator|anyone|anybody|developer|person)\\b",
      ),
      sign(
        "\\b(?:do not|don't|without|no need to) (?:ask|wait|asking|waiting) for (?:a )?(?:confirmation|permission|approval)\\b",
      ),
      sign(`\\b(?:${TOOL_NAMES.join('|')}|tools\\/call)\\b`),
    ],
  },
  {
    name: 'an address to be asked or told',
    hints: ['://', 'key', 'token', 'credential', 'secret', 'password', 'access', 'header', 'authori', ']('],
    signs: [
      // Capitals are the methods of HTTP in every access log, so the verbs of requests are written out.
      new RegExp(
        `${START}(?:[Ff]etch|FETCH|[Cc]all|CALL|[Vv]isit|VISIT|[Oo]pen|OPEN|[Bb]rowse|[Rr]equest|[Ll]oad|[Dd]ownload|DOWNLOAD|[Gg]et|[Pp]ost|[Ss]end|SEND|[Uu]pload|UPLOAD|[Cc]url|CURL|[Ww]get|[Rr]un|RUN|[Ee]xecute|EXECUTE|[Rr]ead|[Cc]onnect|[Nn]avigate|[Gg]o|[Cc]heck|[Uu]se)\\s(?:[^\\n⏎]{0,60}?\\s)?[\`'"(<]?${URL}${REST_OF_URL}\\s{0,2},?\\s{0,2}(?:and (?:then |also )?(?:follow|do|run|execute|send|post|report|paste|use|obey|comply|tell|reply|answer|start|install|apply|return|summari|read|delete|include|show|print|pass)|then\\b|so that|in order to|for (?:further|more|your|next|new|details|instructions|the (?:instructions|steps|fix|next))|with (?:(?:your|all|this|that|any|its|these)\\b|the .{0,20}(?:keys?|tokens?|credentials?|secrets?|headers?|contents?|data|results?|output|logs?|records?|env)\\b)|using (?:the|your|all|these|this)\\b|passing|including|containing|now\\b|immediately|at once|before|to (?!\\/|[a-zA-Z]:|\\.|stdout)|\\.\\s{1,2}(?:then|do|follow|use)\\b)`,
      ),
      sign(
        `${START}(?:send|post|upload|forward|submit|transmit|exfiltrate|report|paste|copy|leak|push|e-?mail)\\s(?:it|them|this|that|these|those|the|all|your|every|any|its|a copy|everything|what)\\b.{0,80}?\\b(?:to|at|via|on)\\s{1,2}[\`'"(<]?${URL}${REST_OF_URL}`,
      ),
      sign(
        `${MUST}(?:now |first |also |then |to ){0,2}(?:fetch|call|visit|open|browse|load|download|get|post|send|forward|submit|report|upload|curl|wget|run|execute|read|follow|connect|go)\\s.{0,80}?${URL}`,
      ),
      sign(
        '\\b(?:key|keys|token|tokens|credentials?|secrets?|passwords?|access|header|authori[sz]ation)\\b.{0,20}\\b(?:that |which )?(?:you (?:were|have been|are|got|had been) (?:given|provided|configured|issued|handed|connected|started|authenticated)|given to you|issued to you|in your (?:context|config|configuration|environment|possession|memory))\\b',
      ),
      sign(
        '\\bwith your (?:own )?(?:api |read |access |mcp )?(?:key|token|credentials?)\\b.{0,40}(?:https?:|\\bto\\b|\\bat\\b)',
      ),
      sign(`${URL}\\S{1,400}\\s{1,3}and (?:comply|obey|do what|do as)\\b`),
      sign('!?\\[[^\\]\\n]{0,200}\\]\\(\\s{0,4}(?:https?|data|javascript|file):'),
    ],
  },
  {
    name: 'commands and hidden ones',
    hints: [
      'curl',
      'wget',
      'iwr',
      'invoke-',
      'npx',
      'pip',
      'npm',
      'powershell',
      'bash',
      'sh -c',
      'rm -rf',
      'chmod',
      'run',
      'execute',
      'type',
      'paste',
      'enter ',
      'base64',
      'eval',
      'exec',
      'iex',
      'decod',
      'decrypt',
      'unpack',
      'obfuscate',
      'encoded',
      'rot13',
      ' hex',
      '-enc',
      'atob',
      'unescape',
      'buffer.from',
      'secret',
      'key',
      'token',
      'credential',
      'password',
      'variable',
      'connection string',
      'cookies',
      '.env',
      '.ssh',
      '/etc/',
    ],
    signs: [
      sign('\\b(?:curl|wget|iwr|invoke-webrequest)\\b.{0,200}\\|\\s{0,4}(?:sudo\\s{1,4})?(?:ba|z|da)?sh\\b'),
      sign(
        '\\b(?:curl|wget)\\s.{0,120}(?:-d|--data\\S{0,12}|-F|-T|--upload-file|--post-file\\S{0,3})[\\s=]{1,2}["\']?@',
      ),
      sign('\\b(?:npx|pip install|npm (?:i|install)|powershell|bash -c|sh -c|rm -rf|chmod \\+x)\\s'),
      sign(
        `(?:${START}|${MUST})(?:run|execute|type|paste|enter)\\s{1,2}(?:the\\s|this\\s|following\\s|command\\s|shell\\s|script\\s|code\\s|in\\s|a\\s|your\\s|terminal\\s){0,6}[:\`'"$]{0,3}\\s{0,2}(?:sudo|curl|wget|npx|npm|pip3?|bash|sh|powershell|python3?|node|eval|git clone|rm|kubectl|docker)\\b`,
      ),
      sign(
        `(?:${START}|${MUST})(?:run|execute)\\s{1,2}(?:the\\s{1,2}following|this|these)\\s{1,2}(?:\\w{1,12}\\s){0,2}(?:commands?|code|script|sql|query)\\b`,
      ),
      sign(
        '\\b(?:run|execute|type|paste)\\s{0,2}:\\s{0,3}[`$"\']{0,3}(?:sudo|curl|wget|npx|npm|pip3?|bash|sh|powershell|python3?|node|rm|kubectl|docker)\\s',
      ),
      sign('\\bbase64\\s{1,4}(?:-d|-D|--decode)\\b'),
      sign(
        '\\b(?:eval|exec|execSync|system|Function|iex|invoke-expression)\\s{0,3}\\(?\\s{0,3}(?:\\w{1,20}\\.){0,2}(?:atob|b64decode|base64[._]?decode|base64_decode|frombase64string|Buffer\\.from|unescape|\\[(?:System\\.)?Convert\\]::FromBase64String)\\b',
      ),
      sign(
        '\\b(?:decode|base64-decode|decrypt|unpack|de-?obfuscate)\\b.{0,80}\\b(?:and|then)\\s(?:then )?(?:(?:run|execute|eval|follow|obey|apply|perform|carry out)\\s(?:it|this|them|the|what|its|that)\\b|do what)',
      ),
      sign(
        '\\b(?:run|execute|follow|obey|eval)\\s(?:the |this |what the )?(?:following )?(?:base64|encoded|decoded|rot13|hex)\\b',
      ),
      sign(`${START}decode\\s(?:this|the following|the text|it)\\b`),
      sign('-e(?:nc|ncodedcommand)\\s{1,3}[A-Za-z0-9+/]{20}'),
      sign(`\\b(?:reply|respond|answer) with\\b.{0,40}\\b(?:your|the)\\s.{0,20}${SECRET}`),
      sign(
        `\\b(?:print|reveal|show|send|post|upload|exfiltrate|leak|dump|display|output|give|paste|e-?mail|copy|share|disclose|return)\\s(?:me\\s|us\\s|out\\s|back\\s){0,2}(?:(?:all|any|every|the|your|its|their|stored|available|secret|contents?|of|project'?s?|user'?s?|production|database)\\s){1,6}${SECRET}`,
      ),
    ],
  },
  ...LANGUAGES,
]
