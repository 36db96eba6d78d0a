import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  base36,
  clock,
  day,
  decimal,
  either,
  email,
  few,
  flag,
  int,
  list,
  maybe,
  once,
  oneOf,
  padded,
  rising,
  someOf,
  upper,
  uuid,
  words,
} from '../values.ts'

const order = either(text`ORD-2025-${padded(6, rising(4100, 1))}`, text`ORD-2025-${padded(6, rising(3000, 1))}`)
const customer = text`cus_${base36(14)}`
const payment = text`pay_${base36(16)}`
const currency = once(words('EUR USD GBP CHF JPY'))
const money = text`${decimal(3, 900, 2)} ${currency}`
const provider = words('stripe adyen paypal klarna sepa')
const method = words('card paypal klarna sepa_debit giftcard apple_pay')
const sku = text`${words('TSHIRT MUG POSTER CABLE')}-${words('RED BLUE XL S 2M')}-${int(1, 90)}`
const warehouse = words('vienna rotterdam leipzig WH-4 porto')
const carrier = words('dhl ups postal gls')
const decline = oneOf('insufficient_funds', 'do_not_honor', 'expired_card', 'Your card was declined.', 'lost_card')
const exception = oneOf(
  'java.net.SocketTimeoutException: Read timed out',
  'org.hibernate.StaleObjectStateException: Row was updated by another transaction',
  'feign.RetryableException: Connection refused executing POST http://stock/reserve',
  'IllegalArgumentException: amount must be positive',
)
const campaign = oneOf('Spring Sale', 'newsletter-april', 'WELCOME10', 'Black Friday 2025', 'vip')
const cart = few(80, uuid)

export const shopPayments: ProgramLog = {
  name: 'shop-payments',
  heldOut: true,
  calls: [
    call(240)`Item ${sku} x${int(1, 4)} added to cart ${cart}`,
    call(80)`Item ${sku} x${int(1, 4)} removed from cart ${cart}`,
    call(170)`Price of cart ${cart}: subtotal=${money} discount=${money} shipping=${money} tax=${money} total=${money}`,
    call(
      120,
    )`Order ${order} placed by customer ${customer}: ${either(text`1 item`, text`${int(2, 9)} items`)}, ${money}`,
    call(110)`Payment ${payment} for order ${order}: authorizing ${money} via ${provider} (${method})`,
    call(100)`Payment ${payment} for order ${order}: authorized by ${provider} in ${amount(90, 9000)} ms`,
    call(90)`Payment ${payment} for order ${order}: captured ${money}`,
    call(30)`Payment ${payment} for order ${order}: declined by ${provider}: ${decline}`,
    call(
      14,
    )`Payment ${payment} for order ${order}: refunded ${money}, reason ${words('return goodwill duplicate fraud')}`,
    call(
      120,
    )`[webhook] ${provider} event ${words('payment.authorized payment.captured charge.refunded dispute.opened payout.paid')} id=evt_${base36(18)} signature=${words('valid invalid')}`,
    call(90)`Reserved ${int(1, 4)} of ${sku} in ${warehouse} for ${order} (left: ${int(0, 900)})`,
    call(
      70,
    )`{"type":"order_status","order":"${order}","from":"${words('PLACED PAID PACKED SHIPPED')}","to":"${words('PAID PACKED SHIPPED DELIVERED CANCELLED')}","actor":"${either(words('system warehouse'), email)}"}`,
    call(60)`Shipment of ${order} handed to ${carrier}, tracking ${upper(base36(12))}`,
    call(
      50,
    )`Confirmation for ${order} sent to ${email} (lang=${words('en de fr ja')}, template=${words('order_confirm_v3 order_confirm_gift')})`,
    call(
      40,
    )`Fraud score of ${order}: ${int(0, 100)} [${someOf(0, 4, 'ip_mismatch new_customer high_amount velocity night')}]`,
    call(36)`Tax for ${words('AT DE US-CA GB JP')} calculated: rate=${decimal(0, 27, 1)}% amount=${money}`,
    call(24)`Voucher ${upper(base36(8))} of campaign '${campaign}' applied to cart ${cart}: -${money}`,
    call(
      20,
    )`Voucher ${upper(base36(8))} of campaign '${campaign}' refused: ${oneOf('expired', 'already used', 'minimum order value is 30.00 EUR', 'not for this customer')}`,
    call(
      40,
    )`POST /v1/charges at ${provider} answered ${oneOf('200', '402', '500')} after ${amount(80, 9000)} ms (key ${uuid})`,
    call(
      24,
    )`GET /v1/charges/ch_${base36(14)} at ${provider} answered ${oneOf('200', '404', '500')} after ${amount(80, 9000)} ms, state=${words('captured pending failed')}`,
    call(20)`Idempotent replay of ${payment}, answer from ${day} ${clock} returned`,
    call(14)`Low stock: ${sku} in ${warehouse} has ${int(0, 9)} left, reorder at ${int(10, 40)}`,
    rare`Out of stock: ${sku} in ${warehouse}, order ${order} waits`,
    rare`Could not reserve ${sku} for ${order}: ${exception}`,
    rare`Could not release ${sku} for ${order}: ${exception}`,
    rare`Could not capture ${payment}: ${exception}`,
    rare`Could not authorize ${payment}: ${exception}`,
    rare`Payment ${payment} for order ${order}: 3-D Secure 2 challenge required`,
    rare`Payment ${payment} for order ${order}: 3-D Secure 2 frictionless, eci=${oneOf('05', '02', '07')}`,
    rare`Payment ${payment} for order ${order}: voided`,
    rare`Payment provider ${provider} is ${words('degraded down healthy')} (error rate ${decimal(0, 60, 1)}%, p95 ${amount(200, 9000)} ms)`,
    rare`Switching from ${provider} to ${provider} for ${currency}`,
    rare`Dispute ${text`dp_${base36(14)}`} opened for ${payment}: ${words('fraudulent product_not_received duplicate')}, evidence due ${day}`,
    rare`Dispute ${text`dp_${base36(14)}`} closed for ${payment}: ${words('won lost')}`,
    rare`Payout ${text`po_${base36(14)}`} of ${money} to IBAN ${words('AT DE NL')}** **** ${int(1000, 9999)} scheduled for ${day}`,
    rare`Reconciliation of ${day}: ${int(10, 900)} matched, ${int(0, 9)} missing, ${int(0, 9)} surplus, difference ${decimal(-90, 90, 2)} ${currency}`,
    rare`Reconciliation of ${day} finished without differences`,
    rare`Exchange rates from ${words('ecb fixer')} loaded: ${list(3, 5, text`${words('USD GBP CHF JPY SEK')}=${decimal(0.5, 160, 4)}`)}`,
    rare`Exchange rates are ${int(2, 48)} hours old`,
    rare`Customer ${customer} registered (newsletter=${flag}, source=${words('organic ads referral')})`,
    rare`Customer ${customer} asked for deletion of personal data`,
    rare`Customer ${customer} merged into ${customer}`,
    rare`Address check for ${customer}: ${words('ok corrected undeliverable')}${maybe(0.4, text`, suggestion "${oneOf('Hauptstrasse 12', '5 High St', 'Rue de la Paix 3 bis')}"`)}`,
    rare`Product "${oneOf('Mug, blue', 'Poster A2', 'USB-C cable 2 m', 'T-shirt')}" (${sku}) price changed ${money} -> ${money}`,
    rare`Product feed for ${words('google meta idealo')} written: ${amount(100, 90_000)} items, ${int(0, 90)} skipped`,
    rare`Invoice ${text`INV${int(100_000, 999_999)}`} for ${order} rendered in ${int(90, 4000)} ms`,
    rare`Label for ${order} could not be printed: ${oneOf('printer offline', 'carrier API: invalid postcode', 'out of paper')}`,
    rare`Return of ${order} received in ${warehouse}: ${words('ok damaged incomplete')}`,
    rare`Abandoned cart ${cart} (${money}), reminder ${oneOf('1', '2')} of 2 queued`,
    rare`Checkout step ${words('address shipping payment review')} failed for cart ${cart}: ${list(1, 2, oneOf('postcode is invalid', 'phone is missing', 'shipping method is not available'), '; ')}`,
    rare`Batch job ${words('expire-carts capture-overdue send-reminders')} done: ${amount(1, 9000)} handled, ${int(0, 9)} failed`,
    rare`PCI token ${text`tok_${base36(20)}`} rotated`,
  ],
}
