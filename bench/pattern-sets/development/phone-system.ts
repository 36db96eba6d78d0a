import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  clock,
  day,
  decimal,
  either,
  few,
  flag,
  hex,
  int,
  list,
  mac,
  maybe,
  once,
  oneOf,
  rising,
  someOf,
  words,
} from '../values.ts'

const app = words(
  'com.example.camera com.acme.messenger org.openmaps.app com.example.mail com.droid.systemui com.vendor.launcher org.player.music com.bank.mobile com.example.browser com.news.reader com.vendor.clock com.example.contacts net.social.feed com.game.blocks com.vendor.weather',
)
const shown = once(app)
const screen = oneOf(
  '.MainActivity',
  '.ui.SettingsActivity',
  '.chat.ConversationScreen',
  '.detail.ArticleActivity',
  '.Splash',
)
const id = hex(7)
const uid = few(20, int(10_001, 10_240))
const pid = few(40, int(600, 29_000))
const uptime = rising(241_000_000, 830)
const nothingOrSource = either(text`null`, text`WorkSource{${uid}}`, text`WorkSource{${uid} ${app}}`)
const tag = either(
  text`*job*/${app}`,
  text`View-Lock`,
  text`RILJ_ACK`,
  text`*alarm*`,
  text`AudioMix`,
  text`sync:${app}`,
)
const window = either(
  text`Window{${id} u0 ${shown}/${shown}${screen}}`,
  text`Window{${id} u0 StatusBar}`,
  text`Window{${id} u0 PopupWindow:${id}}`,
)
const task = text`TaskEntry{${id} #${int(40, 900)} A=${app} U=0 sz=${int(1, 4)}}`
const record = text`ScreenRecord{${id} u0 ${app}/${screen} t${int(40, 900)}}`
const token = text`WindowToken{${id} token=Token{${id} ${record}}}`
const rect = text`Rect(${int(0, 1)}, ${int(-240, 80)} - ${int(720, 1080)}, ${int(1200, 2160)})`
const sensor = oneOf('accelerometer', 'proximity', 'light', 'gyroscope', 'step_counter')
const reason = oneOf('timeout', 'power_button', 'proximity', 'application', 'hdmi', 'lid')
const stage = oneOf('CREATED', 'RESUMED', 'PAUSED', 'STOPPED', 'DESTROYED')
const network = either(text`"HomeNet-${hex(4)}"`, text`"guest"`, text`"Cafe Free WiFi"`, text`<unknown ssid>`)
const key = oneOf('screen_off_timeout', 'volume_ring', 'auto_time', 'adb_enabled', 'zen_mode', 'font_scale', 'haptics')
const failure = oneOf(
  'java.lang.IllegalStateException: not attached to window manager',
  'java.io.IOException: Broken pipe',
  'android.os.DeadObjectException',
  'java.lang.SecurityException: Permission Denial: opening provider',
  'java.lang.NullPointerException',
)

export const phoneSystem: ProgramLog = {
  name: 'phone-system',
  heldOut: false,
  calls: [
    call(
      150,
    )`acquireHold hold=${int(1_000_000, 260_000_000)}, flags=0x${oneOf('1', '0', '20000001', '1000000a')}, tag="${tag}", name=${app}, ws=${nothingOrSource}, uid=${uid}, pid=${pid}`,
    call(
      148,
    )`releaseHold hold=${int(1_000_000, 260_000_000)}, flags=0x${oneOf('1', '0', '20000001', '1000000a')}, tag="${tag}", name=${app}, ws=${nothingOrSource}, uid=${uid}, pid=${pid}`,
    call(
      60,
    )`setHoldSummary: mask=0x${oneOf('1', '0', '11', '41')}, userActivity=0x${oneOf('1', '0', '4')}, stayOn=${flag}`,
    call(
      90,
    )`visibleNow win=${window} policyVisible=${flag} attached=${flag} animating=${flag} drawState=${oneOf('4', '2', '1', '0')}`,
    call(75)`Skipping ${window} because it is drawn, visible=${flag}`,
    call(
      18,
    )`chooseRotation(wanted=${oneOf('-1', '1', '0', '4')}, last=${oneOf('0', '1', '3')}); user=${oneOf('0', '1')} ${oneOf('ROTATION_LOCKED', '')} sensor=${oneOf('-1', '0', '1', '3')}`,
    call(
      50,
    )`dispatchVisibility ${token}, visible=${flag}, performLayout=${flag}, caller=${oneOf('handleResume', 'startPausing', 'activityIdle', 'completePause')}`,
    call(
      44,
    )`updateBrightness: target=${decimal(0, 255, 1)}, current=${decimal(0, 255, 1)}, rate=${oneOf('40', '200', '-1')}, dozing=${flag}`,
    call(
      40,
    )`Lux changed: ambient=${decimal(0, 900, 2)} smoothed=${decimal(0, 900, 2)} brightening=${decimal(0, 900, 3)} darkening=${decimal(0, 900, 3)}`,
    call(
      36,
    )`broadcast ${oneOf('SCREEN_ON', 'BATTERY_CHANGED', 'CONNECTIVITY', 'TIME_TICK', 'PACKAGE_ADDED')} queued in ${oneOf('foreground', 'background')} queue, pending ${amount(1, 60)}`,
    call(
      36,
    )`interceptKey code=${oneOf('24', '25', '26', '3', '4')} action=${oneOf('0', '1')} canceled=${flag} repeat=${amount(1, 9)} flags=${oneOf('8', '268', '72')}`,
    call(30)`setClientVisibility on ${token}: ${flag}`,
    call(
      28,
    )`notification posted key=0|${app}|${int(1, 90_000)}|${oneOf('null', 'incoming', 'download', 'sync')}|${uid} importance=${oneOf('3', '2', '4', '-1000')}`,
    call(
      26,
    )`notification removed key=0|${app}|${int(1, 90_000)}|${oneOf('null', 'incoming', 'download', 'sync')}|${uid} reason=${int(1, 19)}`,
    call(
      25,
    )`battery level:${int(3, 100)}, status:${int(1, 5)}, health:${oneOf('2', '3')}, present:true, voltage:${int(3600, 4350)}, temperature:${int(180, 420)}, plugged:${oneOf('0', '1', '2')}`,
    call(22)`getRunningTasks: returning ${int(1, 6)} of ${int(2, 20)} for ${app}`,
    call(
      20,
    )`startScreen from uid ${uid} on display ${oneOf('0', '1')}: Intent { act=${oneOf('intent.VIEW', 'intent.MAIN')} flg=0x${hex(8)} cmp=${app}/${screen} }`,
    call(
      18,
    )`First frame of ${app}/${screen}: +${either(text`${int(90, 999)}ms`, text`${int(1, 3)}s${int(10, 999)}ms`)}`,
    call(
      16,
    )`Forked ${pid}:${app}/u0a${int(1, 240)} for ${oneOf('service', 'activity', 'broadcast', 'content provider')} ${app}/${screen}`,
    call(
      12,
    )`Process ${app} (pid ${pid}) ended, adj=${oneOf('900', '0', '200', '-800')} state=${oneOf('cached', 'service', 'top')}`,
    call(
      10,
    )`Ending ${pid}:${app}/u0a${int(1, 240)} (adj ${int(0, 906)}): ${oneOf('empty #17', 'remove task', 'stop com.example.mail', 'isolated not needed')}`,
    call(14)`moveToFront ${task} fromStack=${int(0, 3)} animate=${flag}`,
    call(14)`moveToBack ${task} fromStack=${int(0, 3)} animate=${flag}`,
    call(12)`lifecycle ${record} ${stage} -> ${stage} in ${int(1, 400)}ms`,
    call(
      12,
    )`relayout ${window}: frame=${rect} insets=[${int(0, 1)},${int(60, 80)}][${int(0, 1)},${int(0, 144)}] result=0x${oneOf('1', '3', '7')}`,
    call(12)`computeSize frame=${rect} content=${rect} overscan=${rect}`,
    call(10)`wifi scan finished, ${int(0, 30)} results, strongest ${network} rssi=${int(-95, -35)}`,
    call(
      10,
    )`wifi link bssid=${mac} rssi=${int(-95, -35)} speed=${oneOf('433', '866', '72', '-1')} freq=${oneOf('5180', '2437', '2412')} score=${int(20, 60)}`,
    call(9)`Sensor ${sensor} enabled for ${app} at ${oneOf('200000', '66667', '20000')}us`,
    call(9)`Sensor ${sensor} disabled for ${app}`,
    call(8)`alarm ${id} type=${int(0, 3)} when=${uptime} window=${oneOf('0', '-1', '60000')} from ${app}`,
    call(
      8,
    )`Job ${app}/${int(1, 9000)} started, constraints={charging=${flag}, idle=${flag}, network=${oneOf('ANY', 'NONE', 'UNMETERED')}}`,
    call(
      7,
    )`Job ${app}/${int(1, 9000)} stopped, constraints={charging=${flag}, idle=${flag}, network=${oneOf('ANY', 'NONE', 'UNMETERED')}}`,
    call(7)`Sleep begins because of ${reason} (uid ${uid})...`,
    call(7)`Sleep ends, was ${oneOf('asleep', 'dozing', 'dreaming')} (uid=${uid}, reason=${reason})...`,
    call(6)`animator scale ${decimal(0, 1, 1)} applied to ${int(1, 12)} windows`,
    call(6)`Permission ${oneOf('CAMERA', 'LOCATION', 'READ_SMS', 'MICROPHONE')} granted to ${app}`,
    call(6)`Permission ${oneOf('CAMERA', 'LOCATION', 'READ_SMS', 'MICROPHONE')} revoked from ${app}`,
    call(
      6,
    )`Setting ${key} changed from ${oneOf('0', '1', 'null', '60000')} to ${oneOf('1', '0', '30000', '1.15')} by ${app}`,
    call(
      5,
    )`audio route: ${someOf(1, 3, 'SPEAKER EARPIECE BT_A2DP WIRED_HEADSET', '|')} volume=${int(0, 15)} muted=${flag}`,
    call(
      5,
    )`Slow operation: ${int(51, 900)}ms so far, now at ${oneOf('startProcess', 'attachApplication', 'bindServices')}: ${oneOf('done updating battery stats', 'checking signature', 'asking storage')}`,
    rare`onDisplayChanged: Display{id=${oneOf('0', '1')}, state=${oneOf('ON', 'OFF', 'DOZE')}, size=${int(720, 1440)}x${int(1200, 3040)}, fps=${oneOf('60.0', '90.0', '120.0')}}`,
    rare`Package ${app} installed by ${app}, version ${int(1, 4000)}, split=${flag}`,
    rare`Package ${app} removed, dataRemoved=${flag}`,
    rare`Package ${app} replaced, version ${int(1, 4000)} -> ${int(1, 4000)}`,
    rare`Verification of ${app} timed out after ${int(10, 30)} s, allowing install`,
    rare`dexopt ${app} filter=${oneOf('speed-profile', 'verify', 'quicken')} took ${amount(80, 9000)} ms`,
    rare`Not responding: ${app} (${app}/${screen}), no input taken for 5 s`,
    rare`Service ${app}/${screen} of ${app} did not finish in 20 s`,
    rare`Unable to bind ${app}/${screen} for user ${oneOf('0', '10')}`,
    rare`Unable to unbind ${app}/${screen} for user ${oneOf('0', '10')}`,
    rare`Exception thrown by listener ${id}: ${failure}`,
    rare`Failed to deliver result to ${record}: ${failure}`,
    rare`Boot completed for user ${oneOf('0', '10')} in ${amount(9000, 40_000)} ms`,
    rare`Low storage: ${decimal(0.1, 1.9, 2)} GB free of ${oneOf('64', '128')} GB on /data`,
    rare`Thermal zone ${oneOf('cpu0', 'skin', 'battery', 'modem')} entered level ${oneOf('LIGHT', 'MODERATE', 'SEVERE')} at ${decimal(38, 61, 1)}C`,
    rare`Thermal zone ${oneOf('cpu0', 'skin', 'battery', 'modem')} left level ${oneOf('LIGHT', 'MODERATE', 'SEVERE')} at ${decimal(38, 61, 1)}C`,
    rare`Keyguard shown, secure=${flag}, trusted=${flag}`,
    rare`Keyguard dismissed`,
    rare`Fingerprint rejected, ${int(1, 5)} attempts left`,
    rare`Fingerprint accepted for user ${oneOf('0', '10')}`,
    rare`Bluetooth state ${oneOf('OFF', 'TURNING_ON', 'ON')} -> ${oneOf('ON', 'TURNING_OFF', 'OFF', 'TURNING_ON')}`,
    rare`Bluetooth device ${mac} (${oneOf('Car Audio', 'Buds', "Anna's Watch", 'KB-400')}) bonded`,
    rare`Bluetooth device ${mac} (${oneOf('Car Audio', 'Buds', "Anna's Watch", 'KB-400')}) disconnected, status ${oneOf('0x13', '0x08')}`,
    rare`Cell signal: level=${int(0, 4)} dbm=${int(-125, -70)} type=${oneOf('LTE', 'NR', 'UMTS')} roaming=${flag}`,
    rare`SIM ${oneOf('0', '1')} state ${oneOf('READY', 'ABSENT', 'PIN_REQUIRED', 'LOADED')}`,
    rare`Airplane mode ${flag}`,
    rare`Data call list: [${list(0, 2, text`{cid=${int(0, 3)} ifname=rmnet${int(0, 2)} active=${int(0, 2)}}`)}]`,
    rare`DNS servers for network ${int(100, 130)}: [${list(0, 3, text`/10.0.0.${int(1, 9)}`)}]`,
    rare`Captive portal check for network ${int(100, 130)} returned ${oneOf('204', '302', '200', '-1')}`,
    rare`Clock set to ${day} ${clock} by ${oneOf('nitz', 'ntp', 'user')}, jump ${int(-4000, 4000)} ms`,
    rare`Time zone set to ${oneOf('Europe/Vienna', 'UTC', 'Asia/Tokyo')} by ${oneOf('nitz', 'user')}`,
    rare`wallpaper ${hex(8)} loaded for user 0`,
    rare`Input method switched to ${app}/${screen}`,
    rare`showSoftInput flags=${oneOf('0', '1', '2')} client=${id} from ${app}`,
    rare`hideSoftInput flags=${oneOf('0', '1', '2')} client=${id} from ${app}`,
    rare`Input channel of ${window} is broken, removing it`,
    rare`Pointer event without a pointer, dropped`,
    rare`Key event goes nowhere: no window has the focus`,
    rare`Focus entering ${window}`,
    rare`Focus leaving ${window}`,
    rare`Screenshot of display 0 took ${int(20, 300)} ms`,
    rare`Surface ${oneOf('com.vendor.launcher#0', 'StatusBar#0', 'Dim Layer#3')} leaked, owner uid ${uid}`,
    rare`Transition ${oneOf('OPEN', 'CLOSE', 'TASK_TO_FRONT')} ready: opening=[${list(0, 2, token)}] closing=[${list(0, 2, token)}]`,
    rare`Location request ${oneOf('gps', 'network', 'fused')} interval=${oneOf('1000', '60000', '0')} from ${app} (${uid})`,
    rare`GPS fix lost after ${amount(3, 900)} s`,
    rare`GPS first fix after ${amount(3, 90)} s with ${int(4, 14)} satellites`,
    rare`Account ${oneOf('example', 'work', 'calendar')} sync failed for ${app}: ${oneOf('auth', 'io', 'too many deletions', 'conflict')}`,
    rare`Backup of ${app} finished with ${oneOf('SUCCESS', 'QUOTA_EXCEEDED', 'TRANSPORT_ERROR')}, ${amount(100, 900_000)} bytes`,
    rare`Camera ${oneOf('0', '1')} opened by ${app} (pid ${pid})`,
    rare`Camera ${oneOf('0', '1')} closed by ${app} (pid ${pid})`,
    rare`Torch ${oneOf('on', 'off')} for camera 0`,
    rare`Vibrate ${int(10, 400)} ms for ${app}, usage ${oneOf('TOUCH', 'RINGTONE', 'ALARM')}`,
    rare`Media session ${app}/${oneOf('player', 'podcast', 'tts')} state=${oneOf('PLAYING', 'PAUSED', 'STOPPED')} position=${amount(1, 900_000)}`,
    rare`Media button ${oneOf('PLAY', 'NEXT', 'PAUSE')} sent to ${app}`,
    rare`Usage of ${app} reported: last=${uptime}, total=${amount(1000, 9_000_000)}, bucket=${oneOf('ACTIVE', 'WORKING_SET', 'RARE')}`,
    rare`Watchdog: handler ${oneOf('main', 'ui', 'display', 'io')} blocked for ${oneOf('30', '60')} s`,
    rare`Crash of ${app} (pid ${pid}): ${failure}`,
    rare`Too many crashes of ${app}, disabling it until reboot`,
    rare`USB state ${oneOf('CONNECTED', 'DISCONNECTED', 'CONFIGURED')}, functions ${someOf(1, 2, 'mtp adb rndis', ',')}`,
    rare`Dock observer: state ${oneOf('0', '1')}, ${maybe(0.5, oneOf('car', 'desk'))}`,
  ],
}
