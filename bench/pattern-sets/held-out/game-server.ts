import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  base36,
  decimal,
  either,
  flag,
  hex,
  int,
  list,
  maybe,
  oneOf,
  port,
  publicIp,
  rising,
  someOf,
  uuid,
  words,
} from '../values.ts'

const player = either(
  words(
    'Nightowl xX_Slayer_Xx mira Tundra99 PotatoKing juno BluBird Oskar_the_Mad lumi Vex Hagrid77 sparrow QuietStorm zed Pim cactusjack Anouk DrWhoops Rattle fen',
  ),
  text`Guest${int(100, 9999)}`,
)
const map = words('foundry old_harbor Icefall de_canal sandstorm-night Temple')
const mode = words('deathmatch ctf siege')
const item = words(
  'iron_sword oak_planks healing_potion torch diamond_pickaxe bread rope lantern golden_apple arrow cobblestone saddle leather_boots map_fragment crystal_shard',
)
const place = text`(${decimal(-4000, 4000, 1)}, ${decimal(0, 255, 1)}, ${decimal(-4000, 4000, 1)})`
const plugin = words('EconomyPlus AntiGrief Homes WorldGuardian ChatFilter VoteRewards DynMap')
const weapon = words('rifle shotgun knife grenade rocket_launcher pistol sniper crossbow')
const region = words('eu-central eu-north us-east ap-south')

export const gameServer: ProgramLog = {
  name: 'game-server',
  heldOut: true,
  calls: [
    call(210)`${player} was killed by ${player} using ${weapon}`,
    call(40)`${player} fell from a high place`,
    call(36)`${player} drowned`,
    call(
      170,
    )`<${player}> ${oneOf('gg', 'lol', 'where is everyone', 'need healing', 'go left', 'brb', 'nice shot', 'who has the flag', 'anyone selling rope?', 'afk 5 min', 'hi all', 'rush B', 'lag', 'thanks!')}`,
    call(120)`${player} joined the game from ${publicIp}:${port} (ping ${int(9, 300)} ms)`,
    call(116)`${player} left the game: ${oneOf('Disconnected', 'Timed out', 'Kicked by an operator', 'Server closed')}`,
    call(100)`UUID of player ${player} is ${uuid}`,
    call(150)`Can't keep up! Running ${int(2000, 9000)}ms or ${int(40, 180)} ticks behind`,
    call(
      140,
    )`Saved chunk [${int(-250, 250)}, ${int(-250, 250)}] of world ${words('overworld nether end')} in ${int(1, 90)}ms`,
    call(110)`Tick ${rising(90_000, 20)}: ${int(0, 64)} players, ${int(40, 4000)} entities, ${decimal(4, 70, 2)} ms`,
    call(90)`${player} picked up ${item} x${int(1, 64)} at ${place}`,
    call(60)`${player} crafted ${item}`,
    call(56)`trade: ${player} gave ${item} x${int(1, 64)} to ${player} for ${amount(1, 900)} coins`,
    call(
      40,
    )`matchmaker: ticket ${base36(10)} waits ${int(1, 90)} s in pool ${mode}/${region}, rating ${int(600, 2400)} +- ${int(20, 400)}`,
    call(36)`matchmaker: match ${base36(10)} made for ${mode} with ${int(4, 32)} players, spread ${int(10, 500)}`,
    call(30)`Moving too quickly! ${player} ${decimal(-90, 90, 3)},${decimal(-90, 90, 3)},${decimal(-90, 90, 3)}`,
    call(24)`[${plugin}] ${player} used /${words('home spawn warp pay msg tpa')} ${maybe(0.5, player)}`,
    call(20)`snapshot ${rising(7000, 4)} sent to ${player}: ${amount(90, 9000)} bytes, ${int(0, 9)} dropped`,
    rare`Loading map ${map} (${mode})`,
    rare`Map ${map} loaded in ${int(300, 9000)} ms`,
    rare`Map vote won by ${map} with ${int(1, 32)} of ${int(1, 32)} votes`,
    rare`Round ${int(1, 30)} won by team ${words('red blue')}, score ${int(0, 16)}:${int(0, 16)}`,
    rare`Team ${words('red blue')} captured the flag (${player})`,
    rare`Team ${words('red blue')} lost the flag (${player})`,
    rare`[${plugin}] Enabling v${int(1, 9)}.${int(0, 20)}`,
    rare`[${plugin}] Disabling v${int(1, 9)}.${int(0, 20)}`,
    rare`[${plugin}] Could not pass event ${words('PlayerMoveEvent BlockBreakEvent ChatEvent EntitySpawnEvent InventoryClickEvent ChunkLoadEvent')}: ${oneOf('java.lang.NullPointerException', 'index out of bounds', 'database is locked')}`,
    rare`Achievement "${oneOf('Getting wood', 'Into the deep', 'Sharpshooter', 'Merchant prince', 'First blood', 'Sky is the limit', 'Pacifist')}" unlocked by ${player}`,
    rare`${player} banned by ${player}: ${oneOf('speed hack', 'spam', 'insulting language', 'griefing')}`,
    rare`${player} unbanned`,
    rare`anticheat: ${player} flagged for ${words('speed reach aim fly')}, confidence ${decimal(0.5, 1, 2)}, action ${words('log kick ban')}`,
    rare`Login of ${player} refused: ${oneOf('outdated client', 'server is full', 'not on the whitelist', 'invalid session')}`,
    rare`Unknown command "${oneOf('/fly', '/gamemode', 'help me', '/tp home', '/op', '/heal', '/kit start')}" from ${player}`,
    rare`operator ${player} set ${words('time weather difficulty pvp')} to ${words('day night clear rain easy hard true false')}`,
    rare`gamerule keepInventory is now ${flag}`,
    rare`World saved: ${int(100, 9000)} chunks, ${decimal(1, 900, 1)} MB, ${int(100, 9000)} ms`,
    rare`Backup world-${int(20_250_101, 20_251_231)}.zip written, ${decimal(1, 900, 1)} MB`,
    rare`Region file r.${int(-9, 9)}.${int(-9, 9)}.mca is damaged, ${int(1, 9)} chunks are made anew`,
    rare`season pass of ${player} advanced to tier ${int(1, 100)}, rewards: ${someOf(1, 3, 'banner coins skin emote title')}`,
    rare`purchase ${hex(12)} of ${player} delivered: ${list(1, 3, item)}`,
    rare`purchase ${hex(12)} of ${player} reversed`,
    rare`voice channel ${words('red blue all')} has ${int(0, 32)} speakers, jitter ${decimal(0, 40, 1)} ms`,
    rare`server ${region}-${int(1, 40)} drains, ${int(0, 32)} players left`,
    rare`physics step took ${decimal(16, 90, 1)} ms, ${int(10, 4000)} contacts`,
  ],
}
