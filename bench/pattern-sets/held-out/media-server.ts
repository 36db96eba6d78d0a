import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  decimal,
  either,
  flag,
  hex,
  int,
  list,
  maybe,
  oneOf,
  padded,
  privateIp,
  rising,
  someOf,
  uuid,
  words,
} from '../values.ts'

const member = words('Anna Tom grandma Kids livingroom jorge Priya guest wren Matteo Aiko')
const device = oneOf(
  'Living Room TV',
  'iPhone von Anna',
  'Firefox',
  'Chromecast',
  'Tablet',
  'Roku Ultra',
  'kitchen-speaker',
  'Shield',
)
const title = oneOf(
  'The Long Harbour',
  'Winterlight',
  'Planet of Rivers',
  'Sourdough',
  'Night Bus',
  'A Dog Named Tuesday',
  'Cosmic Tides',
  'Heist at Noon',
  'Paper Moons',
  'Zwei Brücken',
  'Static',
  'Marathon',
)
const episode = text`${title} S${padded(2, int(1, 9))}E${padded(2, int(1, 24))}`
const file = text`/media/${words('movies series music')}/${title}/${either(episode, title)}.${words('mkv mp4 avi')}`
const codec = words('h264 hevc av1 mpeg2video vp9')
const sound = words('aac ac3 dts opus')
const library = words('Movies Series Music Photos')
const session = hex(16)
const agent = words('tmdb tvdb musicbrainz local')

export const mediaServer: ProgramLog = {
  name: 'media-server',
  heldOut: true,
  calls: [
    call(
      260,
    )`[Transcode/${session}] segment ${rising(1, 3)} ready after ${int(20, 4000)} ms, speed ${decimal(0.4, 9, 2)}x`,
    call(
      200,
    )`[Req#${hex(4)}] ${words('GET POST PUT')} ${either(text`/library/sections/${int(1, 9)}/all`, text`/status/sessions`, text`/video/${session}/${int(1, 900)}.ts`, text`/photo/${int(1, 9000)}`)} (${int(1, 90)} live) ${privateIp}:${int(1024, 65_000)}`,
    call(
      190,
    )`[Req#${hex(4)}] Completed: ${oneOf('200', '206', '404', '401')} ${amount(10, 900_000)} bytes in ${int(0, 900)}ms`,
    call(120)`Scanner: ${words('added updated unchanged')} "${episode}" in ${library}`,
    call(
      100,
    )`Probing ${file}: video=${codec} ${oneOf('1920x1080', '1280x720', '3840x2160', '720x576')} audio=${sound} ${int(2, 8)}ch duration=${int(100, 9000)}s`,
    call(
      90,
    )`Client "${device}" of ${member} reports state=${words('playing paused stopped buffering')} time=${amount(1, 9_000_000)} item=${int(1, 9000)}`,
    call(
      60,
    )`Decision for "${title}" on "${device}": video ${words('copy transcode')}, audio ${words('copy transcode')}, subtitles ${words('none burn')}`,
    call(50)`Metadata agent ${agent} matched "${title}" (${int(1950, 2025)}) with score ${int(60, 100)}`,
    call(30)`Metadata agent ${agent} found nothing for "${title}"`,
    call(40)`Thumbnail of item ${int(1, 9000)} written, ${int(10, 90)} kB`,
    call(36)`Intro of ${episode} detected at ${decimal(0, 90, 1)}-${decimal(91, 200, 1)} s`,
    call(
      30,
    )`ffmpeg: [${codec} @ 0x${hex(12)}] ${oneOf('error while decoding MB', 'Invalid NAL unit size', 'missing picture in access unit', 'non-existing PPS 0 referenced')}`,
    call(24)`Hardware encoder ${words('vaapi nvenc qsv')} in use: ${int(1, 6)} of 6 sessions`,
    call(
      20,
    )`tuner ${int(0, 3)} locked on channel ${int(1, 900)} (${oneOf('Das Erste', 'BBC One', 'Arte', 'ORF 2', 'France 24', 'RAI Uno', 'SVT1')}), signal ${int(40, 100)}%`,
    rare`tuner ${int(0, 3)} lost the signal`,
    rare`Recording of "${title}" scheduled for channel ${int(1, 900)}`,
    rare`Recording of "${title}" finished, ${decimal(0.1, 9, 1)} GB`,
    rare`Recording of "${title}" failed: ${oneOf('no free tuner', 'disk full', 'signal lost')}`,
    rare`User ${member} signed in on "${device}"`,
    rare`User ${member} signed out`,
    rare`User ${member} may no longer see ${library}`,
    rare`Library ${library} scan started (${words('manual timer watcher')})`,
    rare`Library ${library} scan done in ${decimal(1, 900, 1)} s: ${int(0, 90)} new, ${int(0, 9)} removed`,
    rare`Playlist "${oneOf('Party', 'Road trip', 'Sunday morning', 'Kids songs', 'workout', 'Jazz', 'sleep')}" of ${member} has ${int(1, 400)} tracks`,
    rare`Subtitles ${words('en de fr es')} for ${episode} downloaded from ${words('opensubs addic subscene')}`,
    rare`Cannot open ${file}: ${oneOf('Permission denied', 'No such file or directory', 'Input/output error')}`,
    rare`Duplicate of ${file} ignored`,
    rare`Remote access ${words('enabled disabled')}, port ${int(1024, 65_000)} mapped by ${words('upnp natpmp')}`,
    rare`Certificate ${uuid} renewed, valid ${int(30, 90)} days`,
    rare`Sync of ${list(1, 3, title)} to "${device}" queued`,
    rare`Cache of ${decimal(0.1, 90, 1)} GB cleared, ${int(1, 9000)} files`,
    rare`DLNA: "${device}" appeared at ${privateIp}`,
    rare`DLNA: "${device}" disappeared`,
    rare`Plugin ${words('trailers lyrics themes webtools')} loaded, api=${int(1, 3)}, trusted=${flag}`,
    rare`Plugin ${words('trailers lyrics themes webtools')} crashed: ${oneOf('exit code 1', 'exit code 139', 'timeout')}`,
    rare`Database is optimised, ${int(1, 900)} pages freed`,
    rare`Slow query ${int(200, 9000)} ms: ${oneOf('SELECT items', 'UPDATE view_counts', 'DELETE sessions')}`,
    rare`Lyrics of ${title} by ${oneOf('The Oaks', 'Mara Lind', 'Quartet 9', 'Los Faros', 'DJ Umbra', 'Kestrel')} embedded`,
    rare`bandwidth of session ${session} limited to ${oneOf('2000', '4000', '8000')} kbps${maybe(0.5, text` for ${member}`)}`,
    rare`stream languages of ${episode}: ${someOf(1, 4, 'en de fr es ja it')}`,
  ],
}
