import { call, type ProgramLog, rare, text, type Value } from '../call.ts'
import {
  amount,
  decimal,
  either,
  few,
  hex,
  int,
  list,
  mac,
  maybe,
  once,
  oneOf,
  padded,
  privateIp,
  rising,
  upper,
  words,
} from '../values.ts'

const device = few(30, text`0x${padded(16, text`00158d${hex(10)}`)}`)
const name = words('kitchen livingroom_lamp garage-door boiler attic front_door plug3 greenhouse')
const bytes = (least: number, most: number) => list(least, most, upper(hex(2)), ' ')
const frame = once(bytes(6, 20))
const frameLength: Value = (line) => String(frame(line).split(' ').length)
const state = words('IDLE JOINING ONLINE SLEEPING LOST UPDATING')
const topic = text`home/${name}/${words('state set availability temperature')}`
const reading = either(
  text`{"temperature":${decimal(-12, 30, 1)},"humidity":${decimal(20, 90, 1)},"battery":${int(1, 100)}}`,
  text`{"occupancy":${words('true false')},"linkquality":${int(0, 255)}}`,
  text`{"state":"${words('ON OFF')}","power":${decimal(0, 2200, 1)}}`,
  text`ON`,
  text`OFF`,
)
const quantity = words('temperature humidity pressure co2 voltage flow')
const measured = either(
  text`temperature=${decimal(-20, 40, 2)} C`,
  text`humidity=${decimal(10, 99, 1)} %`,
  text`pressure=${decimal(960, 1040, 1)} hPa`,
  text`co2=${int(380, 2400)} ppm`,
)
const bus = words('/dev/ttyUSB0 /dev/ttyS1 /dev/ttyACM0')
const meter = int(1, 32)
const rssi = int(-110, -35)

export const iotGateway: ProgramLog = {
  name: 'iot-gateway',
  heldOut: true,
  calls: [
    call(130)`rx ${frameLength} bytes from ${device}: ${frame}`,
    call(90)`tx ${frameLength} bytes to ${device}: ${frame}`,
    call(300)`publish ${topic} qos=${oneOf('0', '1')} retain=${words('true false')} payload='${reading}'`,
    call(150)`sensor ${name}: ${measured} rssi=${rssi}`,
    call(110)`modbus ${bus} unit ${meter} fc 3 addr ${int(0, 9000)} count ${int(1, 60)}: ok in ${int(8, 90)} ms`,
    call(
      40,
    )`modbus ${bus} unit ${meter} read failed: ${oneOf('timeout', 'crc error', 'illegal data address', 'slave busy')}`,
    call(90)`fsm[${name}] ${state} -> ${state} on ${words('EV_JOIN EV_TIMEOUT EV_DATA EV_SLEEP EV_OTA')}`,
    call(30)`lqi table: ${list(1, 6, text`${hex(4)}:${int(0, 255)}`, ' ')}`,
    call(110)`ack seq=${int(0, 255)} from ${device} after ${int(3, 400)} ms`,
    call(24)`no ack seq=${int(0, 255)} from ${device} after ${oneOf('1000', '3000')} ms, retry ${int(1, 3)}`,
    call(
      80,
    )`heap free=${int(20_000, 90_000)} min=${int(9000, 20_000)} largest=${int(9000, 60_000)} frag=${int(0, 60)}%`,
    call(30)`uplink: ${amount(1, 90_000)} msgs, ${int(0, 900)} queued, backlog ${decimal(0, 90, 1)} s`,
    call(24)`wifi: rssi ${rssi} dBm, channel ${int(1, 13)}, ip ${privateIp}`,
    call(
      20,
    )`LoRa packet: freq=${oneOf('868.1', '868.3', '867.5')} SF${int(7, 12)}BW125 snr=${decimal(-20, 10, 1)} rssi=${rssi} size=${int(12, 60)} data=${hex(24)}`,
    call(
      14,
    )`rule "${oneOf('Turn off heating at night', 'Alarm', 'Water greenhouse', 'frost protection v2')}" fired, ${int(1, 4)} action(s)`,
    call(12)`CAN ${words('can0 can1')} id=0x${hex(3)} dlc=8 data=[${bytes(8, 8)}]`,
    rare`fsm[${name}] unexpected event ${words('EV_JOIN EV_TIMEOUT EV_DATA EV_OTA')} in state ${state}`,
    rare`device ${device} joined as ${either(name, text`(unnamed)`)}, model ${words('TRADFRI-E27 lumi.weather SP-120 TS0601')}`,
    rare`device ${device} left${maybe(0.5, text`, reason 0x${hex(2)}`)}`,
    rare`device ${device} interview ${words('started successful failed')}`,
    rare`device ${device} announced itself with short address 0x${hex(4)}`,
    rare`device ${name} unavailable for ${int(2, 90)} min`,
    rare`device ${name} available again`,
    rare`battery of ${name} low: ${int(1, 15)} %`,
    rare`valve ${name} opened to ${int(1, 100)} %`,
    rare`valve ${name} closed`,
    rare`valve ${name} stuck at ${int(1, 100)} %`,
    rare`relay ${int(1, 8)} ${words('ON OFF')} by ${words('schedule user rule remote')}`,
    rare`alarm ${words('SMOKE LEAK TAMPER FREEZE')} raised by ${name}`,
    rare`alarm ${words('SMOKE LEAK TAMPER FREEZE')} cleared by ${name}`,
    rare`mqtt: connected to ${words('broker.local core-mosquitto 10.0.0.4')}:${oneOf('1883', '8883')} as ${words('gw-01 gateway')}, protocol 5`,
    rare`mqtt: connection lost: ${oneOf('keepalive timeout', 'EOF', 'ECONNRESET', 'not authorised')}`,
    rare`mqtt: subscribed to ${list(1, 3, text`home/+/${words('set get cmd')}`)}`,
    rare`ota: ${name} image version ${int(1, 9)}.${int(0, 20)}, ${amount(90_000, 900_000)} bytes`,
    rare`ota: ${name} block ${int(1, 4000)} of ${int(4000, 5000)}`,
    rare`ota: ${name} sha256 mismatch, expected ${hex(16)}.. got ${hex(16)}..`,
    rare`ota: ${name} done, rebooting`,
    rare`boot: reason ${words('POWERON BROWNOUT WDT_RESET SW_RESET')}, firmware ${int(1, 4)}.${int(0, 20)}.${int(0, 9)}-g${hex(7)}, uptime of last run ${amount(10, 900_000)} s`,
    rare`coprocessor firmware ${int(6, 7)}.${int(0, 9)}.${int(0, 9)}.0 build ${int(100, 500)} on ${bus}`,
    rare`coprocessor on ${bus} does not answer, resetting it`,
    rare`calibration of ${name}: offset=${decimal(-3, 3, 3)} gain=${decimal(0.8, 1.2, 4)}`,
    rare`value of ${name} out of range: ${quantity}=${oneOf('-127.00', '85.00', 'nan', '65535')}`,
    rare`i2c error ${int(-121, -5)} at 0x${hex(2)} (${words('bme280 sht31 ads1115')})`,
    rare`spi flash: ${int(0, 9)} bad blocks, wear ${int(0, 60)} %`,
    rare`ntp: time set to ${rising(1_714_000_000, 40)}, drift ${int(-900, 900)} ppm`,
    rare`ble: advertisement from ${mac} ${maybe(0.5, text`(${oneOf('MJ_HT_V1', 'Tile', 'Polar H10')}) `)}rssi ${rssi}`,
    rare`ble: pairing with ${mac} failed, status 0x${hex(2)}`,
    rare`frame dropped: bad crc, got 0x${hex(4)} want 0x${hex(4)}`,
    rare`frame dropped: length ${int(128, 255)} is larger than 127`,
    rare`frame dropped: unknown source ${device}`,
    rare`permit join ${words('enabled disabled')} for ${oneOf('0', '60', '254')} s`,
    rare`channel energy: ${list(5, 16, int(0, 99), ' ')}`,
    rare`network key rotated, sequence ${int(0, 12)}`,
    rare`watchdog: task ${words('radio mqtt rules ui')} did not report for ${int(5, 60)} s`,
    rare`dump ${words('stack config nvram')} 0x${hex(8)}: ${list(8, 8, hex(8), ' ')}`,
    rare`tunnel ${words('support vpn')} up, local ${privateIp}`,
    rare`tunnel ${words('support vpn')} down`,
  ],
}
