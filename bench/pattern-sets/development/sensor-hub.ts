import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  decimal,
  either,
  flag,
  hex,
  int,
  list,
  mac,
  maybe,
  oneOf,
  padded,
  privateIp,
  rising,
  someOf,
  upper,
  words,
} from '../values.ts'

const room = words('kitchen attic garage bedroom hallway bath cellar office nursery porch laundry greenhouse')
const thing = words('lamp thermostat door-lock motion plug blinds smoke_alarm leak valve camera doorbell')
const topic = text`home/${room}/${thing}/${words('state set battery')}`
const device = text`${room}_${thing}`
const name = text`${room} ${thing}`
const link = text`0x${hex(4)}`
const property = words('temperature humidity power brightness occupancy contact linkquality voltage')
const adapter = words('zigbee zwave bluetooth modbus')
const automation = oneOf(
  'Good night',
  'Morning lights',
  'Away mode',
  'Leak alarm',
  'Vacation',
  'Movie time',
  'Heat up bath',
  'Doorbell rings',
)

/** A hub for sensors and switches: topics, radio frames, registers and rules that people have written. */
export const sensorHub: ProgramLog = {
  name: 'sensor-hub',
  heldOut: false,
  calls: [
    call(
      260,
    )`MQTT publish: topic '${topic}', payload '{"${property}":${decimal(0, 90, 1)},"last_seen":${rising(1_700_000, 30)}}'`,
    call(120)`MQTT received: topic '${topic}', payload '${words('ON OFF TOGGLE')}'`,
    call(140)`Device ${device} reported ${property}=${either(int(0, 100), decimal(0, 90, 1), text`unknown`)}`,
    call(
      110,
    )`frame from ${link} (${name}) lqi=${int(0, 255)} rssi=${int(-95, -30)} seq=${int(0, 255)} data=${list(2, 8, hex(2), ' ')}`,
    call(90)`poll of unit ${int(1, 30)} register ${int(0, 40_000)}: ${list(1, 4, hex(4), ' ')}`,
    call(
      60,
    )`poll of unit ${int(1, 30)} register ${int(0, 40_000)} failed: ${oneOf('timeout', 'bad checksum', 'illegal data address')}`,
    call(80)`automation '${automation}' triggered by ${words('sun time state')} of ${device}`,
    call(70)`automation '${automation}' finished in ${int(1, 900)} ms, ${int(1, 9)} actions`,
    call(70)`State of ${name} changed from ${words('on off')} to ${words('on off')}`,
    call(50)`battery of ${name} at ${int(1, 100)} %`,
    call(40)`route to ${link} via [${list(0, 3, link)}], cost ${int(1, 12)}`,
    call(40)`adapter ${adapter}: ${int(1, 90)} devices, ${int(0, 9)} offline`,
    call(36)`${name} is ${words('online offline')}${maybe(0.5, text` after ${int(1, 900)} s`)}`,
    call(
      30,
    )`[${words('D I W')}][${words('api wifi sensor ota')}:${padded(3, int(1, 400))}]: ${oneOf('Component loop took a long time', 'Sending state', 'Reconnecting', 'Heap is low')} (${int(1, 900)} ms)`,
    rare`device ${mac} joined as ${link}, model ${words('TS0201 LWB010 RTCGQ11LM ZNCLDJ12LM')}`,
    rare`device ${mac} left`,
    rare`interview of ${name} ${words('started succeeded failed')}`,
    rare`firmware of ${name} updated from ${int(1, 40)} to ${int(1, 40)}`,
    rare`firmware of ${name} is up to date`,
    rare`group ${words('upstairs downstairs outside all_lights blinds heating evening')} has ${int(1, 20)} members`,
    rare`scene '${oneOf('Dinner', 'Reading', 'Party mode', 'Wake up', 'Focus', 'Guests', 'Cleaning')}' stored by ${words('anna tom app')}`,
    rare`energy today: ${decimal(0, 40, 2)} kWh, peak ${amount(100, 9000)} W at ${int(0, 23)}:${int(10, 59)}`,
    rare`weather from ${words('met.no openweather')}: ${oneOf('partly cloudy', 'rain', 'clear', 'fog')}, ${decimal(-9, 35, 1)} C`,
    rare`voice command "${oneOf('turn on the lights', 'how warm is it', 'open the blinds', 'play jazz', 'set an alarm', 'good night', 'lock the door')}" from ${room}`,
    rare`integration ${words('hue sonos tado shelly esphome ikea')} needs a new login`,
    rare`integration ${words('hue sonos tado shelly esphome ikea')} set up in ${decimal(0.1, 9, 2)} s`,
    rare`channel ${int(11, 26)} is ${words('busy free')}, energy ${int(0, 255)}`,
    rare`bridge ${privateIp} discovered, id ${upper(hex(16))}, secure=${flag}`,
    rare`history of ${name} purged, ${amount(10, 90_000)} rows`,
    rare`alarm ${words('armed disarmed triggered')} by ${words('keypad app schedule')}, zones ${someOf(1, 3, 'doors windows motion garden', ',')}`,
  ],
}
