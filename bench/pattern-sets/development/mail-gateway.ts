import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  base36,
  decimal,
  domain,
  either,
  email,
  few,
  hex,
  int,
  list,
  maybe,
  oneOf,
  padded,
  person,
  port,
  privateIp,
  publicIp,
  rising,
  shortDate,
  someOf,
  upper,
  words,
} from '../values.ts'

const queueId = upper(hex(10))
const relay = either(
  text`${domain}[${publicIp}]:25`,
  text`none`,
  text`local`,
  text`mx${int(1, 4)}.${domain}[${publicIp}]:25`,
)
const client = either(
  text`unknown[${publicIp}]`,
  text`mail-${hex(4)}.${domain}[${publicIp}]`,
  text`localhost[127.0.0.1]`,
)
const connection = rising(10_400, 0.6)
const peer = few(14, text`${words('roadwarrior office-vienna anna-laptop branch')}/${publicIp}:${port}`)
const subject = oneOf('Invoice 2291', 'Re: meeting on Friday', 'Your parcel', 'Weekly report', 'Newsletter March', 'hi')
const answer = oneOf(
  '250 2.0.0 OK queued as 4F2A',
  '250 Ok',
  '451 4.7.1 Greylisting in action, please come back later',
  '550 5.1.1 User unknown',
  '452 4.2.2 Mailbox full',
)
const filter = oneOf(
  '(objectClass=*)',
  '(uid=anna)',
  '(&(objectClass=posixAccount)(uid=jsmith))',
  '(memberUid=backup)',
  '(cn=printers)',
)
const base = words('dc=example,dc=com ou=people,dc=example,dc=com ou=groups,dc=example,dc=com cn=config')
const folder = oneOf('INBOX', 'Sent', 'INBOX/Archive 2024', 'Drafts', 'Trash', 'Junk')
const list1 = words('spamhaus.example bl.example dnsbl.example')

export const mailGateway: ProgramLog = {
  name: 'mail-gateway',
  heldOut: false,
  calls: [
    call(150)`client ${client} arrives`,
    call(
      148,
    )`client ${client} leaves ehlo=${int(1, 2)}${maybe(0.5, text` starttls=1`)}${maybe(0.6, text` mail=1 rcpt=${int(1, 4)} data=1`)} quit=1 total=${int(2, 9)}`,
    call(130)`${queueId}: accepted from ${client}${maybe(0.12, text`, login=${email}`)}`,
    call(128)`${queueId}: mid=<${maybe(0.95, text`${base36(16)}@${domain}`)}>`,
    call(
      125,
    )`${queueId}: sender=<${maybe(0.9, email)}>, bytes=${amount(400, 9_000_000)}, recipients=${int(1, 4)} (active)`,
    call(
      140,
    )`${queueId}: rcpt=<${email}>, ${maybe(0.1, text`alias=<${person}>, `)}via=${relay}, took=${decimal(0, 90, 2)}, parts=${list(4, 4, decimal(0, 9, 2), '/')}, code=${oneOf('2.0.0', '4.7.1', '5.1.1')}, result=${words('sent deferred bounced')} (${answer})`,
    call(115)`${queueId}: done`,
    call(
      80,
    )`imap-auth: login=<${maybe(0.9, email)}>, method=${words('PLAIN LOGIN CRAM-MD5')}, peer=${publicIp}, own=${privateIp}, pid=${int(900, 30_000)}, TLS, session=<${base36(16)}>`,
    call(
      60,
    )`imap(${email}): leaves, in=${amount(10, 9000)} out=${amount(10, 900_000)} deleted=${int(0, 4)} expunged=${int(0, 4)}`,
    call(40)`lda(${email}): msgid=<${base36(12)}@${domain}>: stored in ${folder}`,
    call(70)`conn=${connection} fd=${int(10, 90)} OPEN peer=${privateIp}:${port} (own=0.0.0.0:389)`,
    call(
      66,
    )`conn=${connection} op=${int(0, 9)} BIND dn="${maybe(0.7, text`uid=${person},${base}`)}" mech=simple ssf=128`,
    call(
      90,
    )`conn=${connection} op=${int(0, 9)} FIND base="${maybe(0.9, base)}" scope=${oneOf('2', '0', '1')} aliases=0 filter="${filter}"`,
    call(60)`conn=${connection} op=${int(0, 9)} FIND attrs=${someOf(1, 5, 'uid cn mail memberUid objectClass', ' ')}`,
    call(
      88,
    )`conn=${connection} op=${int(0, 9)} FOUND tag=101 err=${oneOf('0', '32', '4')} entries=${int(0, 40)} text=${maybe(0.1, oneOf('size limit reached', 'no such object'))}`,
    call(30)`conn=${connection} op=${int(0, 9)} BYE`,
    call(30)`conn=${connection} fd=${int(10, 90)} shut${maybe(0.2, oneOf(' (peer lost)', ' (idle)'))}`,
    call(
      40,
    )`${peer} TLS: new keys after sec=${int(0, 3600)} bytes=${amount(1, 9_000_000)}/-1 pkts=${amount(1, 90_000)}/0`,
    call(34)`${peer} data cipher '${words('AES-256-GCM CHACHA20-POLY1305')}', peer-id: ${int(0, 20)}`,
    call(24)`${peer} silent too long, tunnel starts anew`,
    call(24)`${peer} gets IPv4=${privateIp}, IPv6=${oneOf('(not in use)', 'fd00::1004')}`,
    call(
      30,
    )`refused: recipient of ${client}: 554 5.7.1 <${email}>: we do not relay; from=<${email}> to=<${email}> proto=${words('ESMTP SMTP')} helo=<${domain}>`,
    call(
      20,
    )`refused: recipient of ${client}: 554 5.7.1 listed by ${list1}; from=<${maybe(0.9, email)}> to=<${email}> proto=${words('ESMTP SMTP')} helo=<${domain}>`,
    call(
      24,
    )`spam scan of ${queueId}: score ${decimal(-5, 22, 1)} of 5.0, tests=${someOf(0, 5, 'BAYES_00 SPF_PASS DKIM_VALID HTML_MESSAGE URIBL_BLACK', ',')}`,
    rare`${queueId}: uid=${oneOf('0', '33')} from=<${person}>`,
    rare`${queueId}: sender is told by ${queueId}`,
    rare`${queueId}: talk with ${domain}[${publicIp}] stalled while ${oneOf('receiving the initial server greeting', 'sending end of data', 'performing the EHLO handshake')}`,
    rare`${queueId}: line cut by ${domain}[${publicIp}] while ${oneOf('receiving the initial server greeting', 'sending end of data', 'performing the EHLO handshake')}`,
    rare`warning: name ${domain} is not that of ${publicIp}`,
    rare`warning: ${client}: SASL ${words('LOGIN PLAIN')} login refused: ${oneOf('UGFzc3dvcmQ6', 'authentication failure', 'Connection lost to authentication server')}`,
    rare`peak: connection rate ${int(1, 90)}/60s for (smtp:${publicIp}) at ${shortDate}`,
    rare`peak: connection count ${int(1, 40)} for (smtp:${publicIp}) at ${shortDate}`,
    rare`peak: cache size ${int(1, 90)} at ${shortDate}`,
    rare`virus ${words('Eicar-Test Trojan.Agent-4412 Phish.Bank')} found in ${queueId}, subject "${subject}", quarantined as ${base36(12)}`,
    rare`virus database updated to version ${int(26_000, 27_400)}, ${amount(1000, 9_000_000)} signatures`,
    rare`quota of ${email} at ${int(80, 100)}%, warning sent`,
    rare`sieve(${email}): script ${oneOf('vacation', 'main', 'roundcube')} line ${int(1, 40)}: ${oneOf('unknown test header2', 'fileinto into missing folder', 'redirect limit reached')}`,
    rare`indexing of ${folder} for ${email} finished, ${amount(1, 9000)} messages in ${decimal(0.1, 90, 2)} secs`,
    rare`certificate for ${domain} expires in ${int(1, 30)} days`,
    rare`dkim: ${queueId} signed with selector ${words('s2024 default k1')} for ${domain}`,
    rare`dkim: ${queueId} bad signature of ${domain}: ${oneOf('body hash did not verify', 'key not found', 'expired')}`,
    rare`greylisting ${client} for ${int(30, 300)} more seconds`,
    rare`${peer} certificate good: depth=${oneOf('0', '1')}, CN=${person}`,
    rare`${peer} certificate bad: depth=0, why=${oneOf('certificate has expired', 'CRL has expired')}, CN=${person}`,
    rare`console: client ${words('connected disconnected')} from ${privateIp}:${port}`,
    rare`replica ${text`ldap${padded(2, int(1, 4))}`} lags ${amount(2, 900)} changes behind`,
    rare`replica ${text`ldap${padded(2, int(1, 4))}`} in sync, csn=${int(20_250_101, 20_251_231)}#${hex(6)}#000#${hex(6)}`,
    rare`conn=${connection} op=${int(0, 9)} MOD dn="uid=${person},${base}"`,
    rare`conn=${connection} op=${int(0, 9)} MOD attr=${someOf(1, 3, 'userPassword mail loginShell shadowLastChange', ' ')}`,
    rare`refreshing peer list, ${int(1, 40)} active, ${int(0, 9)} stale`,
  ],
}
