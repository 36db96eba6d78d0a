/** Where payments fail: several incidents meet in the same files. */
import type { Frame } from '../stack-text.ts'

const JAVA = 'services/payments/src/main/java/com/shop/payments'

export const PSP_CLIENT = `${JAVA}/PspClient.java`
export const SERVICE_PATH = `${JAVA}/CaptureService.java`
export const CONTROLLER_FRAME: Frame = {
  function: 'com.shop.payments.CaptureController.create',
  path: `${JAVA}/CaptureController.java`,
  code: 'captures.capture(order)',
}
