import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  base36,
  decimal,
  either,
  email,
  few,
  flag,
  hex,
  int,
  list,
  maybe,
  moment,
  oneOf,
  privateIp,
  rising,
  someOf,
  uuid,
  words,
} from '../values.ts'

const account = few(80, text`ACC-${int(100_000, 999_999)}`)
const currency = words('EUR USD GBP')
const money = text`${int(1, 4000)}.${int(10, 99)}`
const bank = words(
  'nordbank first-union caixa-sul alpina volksbank.at meridian tokyo-trust bluecredit santo sterling-house',
)
const merchant = oneOf(
  'Books & More',
  'City Cab',
  'GreenGrocer',
  'Hotel Miramar',
  'Stadium Tickets',
  'Tool Depot',
  'Cafe Nord',
  'PetPalace',
  'Skyways Air',
  'Gym One',
)
const status = words('pending settled rejected reversed')
const rail = words('sepa swift card instant')
const trace = hex(32)
const queue = words('postings refunds statements')

/** Accounts and payments: JSON events, pairs and sentences side by side. */
export const ledgerService: ProgramLog = {
  name: 'ledger-service',
  heldOut: false,
  calls: [
    call(
      220,
    )`{"ts":"${moment}","level":"info","event":"payment.created","id":"${uuid}","rail":"${rail}","amount":${money},"currency":"${currency}","from":"${account}","to":"${account}"}`,
    call(
      180,
    )`{"ts":"${moment}","level":"info","event":"payment.updated","id":"${uuid}","status":"${status}","previous":${either(text`null`, text`"${hex(4)}"`)},"by":"${words('clearing risk support')}"}`,
    call(
      60,
    )`{"ts":"${moment}","level":"warn","event":"payment.held","id":"${uuid}","rules":[${someOf(1, 3, '"velocity" "new-payee" "country" "amount"', ',')}],"score":${decimal(0, 1, 3)}}`,
    call(
      140,
    )`posted entry=${rising(800_000, 3)} debit=${account} credit=${account} amount=${money} ${currency} ref=${base36(12)}`,
    call(120)`settled batch ${base36(6)} with ${bank}: ${int(1, 900)} items, ${money} ${currency}`,
    call(
      50,
    )`rejected batch ${base36(6)} by ${bank}: ${oneOf('cut-off time passed', 'malformed file', 'duplicate batch')}`,
    call(100)`authorised ${money} ${currency} at "${merchant}" for card ending ${int(1000, 9999)}`,
    call(
      40,
    )`declined ${money} ${currency} at "${merchant}" for card ending ${int(1000, 9999)}: ${words('insufficient_funds expired_card fraud_suspected')}`,
    call(90)`balance of ${account} is ${either(money, text`-${money}`)} ${currency} (available ${money})`,
    call(80)`rate ${currency}/${currency} = ${decimal(0.5, 2, 5)} from ${words('ecb reuters')}`,
    call(
      70,
    )`consumer=${queue} partition=${int(0, 11)} offset=${rising(10_000, 9)} lag=${int(0, 900)} handled=${flag} took=${int(1, 900)}ms`,
    call(
      60,
    )`POST https://${bank}.example/v1/transfers -> ${oneOf('201', '202', '409', '503')} in ${int(30, 4000)}ms (attempt ${int(1, 4)})`,
    call(50)`lock ${account} ${words('acquired released')} by worker-${int(1, 12)} after ${int(0, 90)}ms`,
    call(
      40,
    )`statement for ${account} ${words('rendered mailed')}: ${int(1, 40)} pages${maybe(0.4, text`, sent to ${email}`)}`,
    rare`customer ${uuid} verified by ${words('video post branch')}, risk class ${words('A B C')}`,
    rare`customer ${uuid} matched sanction list "${oneOf('EU consolidated', 'OFAC SDN', 'UN')}" with ${int(70, 100)}%`,
    rare`limit of ${account} raised from ${money} to ${money} by ${email}`,
    rare`reconciliation with ${bank} finished: ${int(0, 9)} differences, ${money} ${currency}`,
    rare`file ${words('pain.001 camt.053 mt940 pacs.008 camt.054 pain.002')} from ${bank} parsed, ${int(1, 9000)} records`,
    rare`file ${words('pain.001 camt.053 mt940 pacs.008 camt.054 pain.002')} from ${bank} refused: line ${int(1, 900)}`,
    rare`key ${hex(8)} of ${bank} expires in ${int(1, 30)} days`,
    rare`circuit to ${bank} ${words('opened closed half-open')}`,
    rare`webhook ${words('payment.settled payment.failed refund.created')} delivered to ${privateIp} in ${int(9, 900)}ms`,
    rare`dispute ${base36(8)} opened by "${merchant}": ${oneOf('goods not received', 'duplicate charge', 'not recognised')}`,
    rare`fee table ${int(2020, 2025)}-${words('Q1 Q2 Q3')} activated, ${int(10, 90)} rows`,
    rare`shard ${int(0, 15)} moved to ${text`db-${int(1, 9)}`}, ${amount(100, 900_000)} accounts, ${list(1, 3, text`${int(1, 90)}s`, '/')}`,
    rare`trace ${trace} took ${int(1000, 9000)}ms: slowest span ${words('db.query http.client risk.score kafka.send lock.wait cache.get')}`,
  ],
}
