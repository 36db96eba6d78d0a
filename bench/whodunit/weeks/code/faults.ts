/** Mistakes that programmers make: what the line says afterwards, and what the runtime says to it. */
import type { Language } from '../../../../packages/demo/src/shop/stack-text.ts'
import { capital, type ShopFunction } from './functions.ts'

export type Fault = {
  type: string
  message(of: ShopFunction): string
  /** What the limit is computed from instead. */
  expression(of: ShopFunction): string
}

type Row = [type: string, message: string, expression: string]

/** KEY and NOUN stand for the names of the function that is broken. */
const ROWS: Record<Language, readonly [Row, ...Row[]]> = {
  javascript: [
    ['TypeError', "Cannot read properties of undefined (reading 'NOUNLimit')", 'request.KEY.account.NOUNLimit'],
    ['SyntaxError', '"undefined" is not valid JSON', 'JSON.parse(request.KEY.options).limit'],
    ['TypeError', 'request.KEY.NOUNLimits.map is not a function', 'request.KEY.NOUNLimits.map(Number)[0]'],
    ['RangeError', 'Invalid array length', 'new Array(request.KEY.count - 1).length'],
    ['ReferenceError', 'document is not defined', "document.querySelector('#KEY').size"],
  ],
  java: [
    [
      'java.lang.NullPointerException',
      'Cannot invoke "com.shop.payments.Account.limit()" because the return value of "com.shop.payments.NOUN.account()" is null',
      'request.KEY().account().limit();',
    ],
    ['java.lang.NumberFormatException', 'For input string: "12.5"', 'Integer.parseInt(request.KEY().limit());'],
    [
      'java.lang.IndexOutOfBoundsException',
      'Index 3 out of bounds for length 3',
      'request.KEY().limits().get(KEYRows.size());',
    ],
    [
      'java.lang.IllegalArgumentException',
      'No enum constant com.shop.payments.Level.trial',
      'Level.valueOf(request.KEY().level()).limit();',
    ],
    [
      'java.lang.ClassCastException',
      'class java.lang.String cannot be cast to class java.lang.Integer',
      '(Integer) request.KEY().raw("limit");',
    ],
  ],
  python: [
    ['KeyError', "'NOUN_limit'", 'request["KEY"]["NOUN_limit"]'],
    ['TypeError', "'>' not supported between instances of 'NoneType' and 'int'", 'max(request["KEY"].get("limit"), 0)'],
    ['ZeroDivisionError', 'division by zero', 'len(KEY_rows) // len(request["KEY"]["parts"])'],
    ['ValueError', "invalid literal for int() with base 10: '12.5'", 'int(request["KEY"]["limit"])'],
    ['AttributeError', "'NoneType' object has no attribute 'limit'", 'db.account(request["KEY_id"]).limit'],
  ],
  go: [
    [
      'panic',
      'runtime error: invalid memory address or nil pointer dereference',
      'min(len(KEYRows), request.Subject.Account.Limit)',
    ],
    ['panic', 'runtime error: index out of range [3] with length 3', 'request.Limits[len(KEYRows)]'],
    ['panic', 'runtime error: integer divide by zero', 'len(KEYRows) / request.Subject.Parts'],
    ['panic', 'assignment to entry in nil map', 'request.Subject.Remember("KEY", len(KEYRows))'],
  ],
}

export const FAULTS: Record<Language, readonly [Fault, ...Fault[]]> = {
  javascript: faultsOf('javascript'),
  java: faultsOf('java'),
  python: faultsOf('python'),
  go: faultsOf('go'),
}

/** What a caller makes of a function when it hands over nothing. */
export const NOTHING_GIVEN: Record<Language, { type: string; message: string; given: (call: string) => string }> = {
  javascript: {
    type: 'TypeError',
    message: "Cannot read properties of undefined (reading 'name')",
    given: (call) => call.replace('request.body', 'request.body.content'),
  },
  java: {
    type: 'java.lang.NullPointerException',
    message: 'Cannot invoke "com.shop.payments.Subject.name()" because it is null',
    given: (call) => call.replace('(request)', '(request.withoutSubject())'),
  },
  python: {
    type: 'TypeError',
    message: "'NoneType' object is not subscriptable",
    given: (call) => call.replace('(db, body)', '(db, body.get("content"))'),
  },
  go: {
    type: 'panic',
    message: 'runtime error: invalid memory address or nil pointer dereference',
    given: (call) => call.replace('(request)', '(request.Content)'),
  },
}

function faultsOf(language: Language): [Fault, ...Fault[]] {
  const [first, ...more] = ROWS[language]
  return [faultOf(first), ...more.map(faultOf)]
}

function faultOf([type, message, expression]: Row): Fault {
  const filled = (text: string) => (of: ShopFunction) =>
    text.replaceAll('KEY', of.key).replaceAll('NOUN', of.language === 'java' ? capital(of.noun) : of.noun)
  return { type, message: filled(message), expression: filled(expression) }
}
