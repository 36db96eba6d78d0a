#!/bin/sh
# Sends the source maps of a build to Tidemark, before it is deployed, without the sources in them. Needs a POSIX shell, curl,
# find, od and mktemp, and node or jq.
#
#   TIDEMARK_URL            address of the service, such as https://logs.example.com
#   TIDEMARK_INGEST_KEY     ingest key of the project
#   TIDEMARK_RELEASE        the release, as its records have it
#   TIDEMARK_FOLDER         what the bundler wrote: every .js.map in it is sent
#
# The key goes through standard input, never arguments, which show up in process lists. Fails unless every map was taken.
set -eu

service=${TIDEMARK_URL:-} service=${service%/} service=${service%/v1/logs}
wrong=
add() { wrong="$wrong
  - $1"; }
case ${TIDEMARK_URL:-} in
  http://?* | https://?*) ;;
  *) add "TIDEMARK_URL must be the address of the service, such as https://logs.example.com." ;;
esac
[ -n "${TIDEMARK_INGEST_KEY:-}" ] || add "TIDEMARK_INGEST_KEY is not set: store the ingest key as a secret of the CI system."
[ -n "${TIDEMARK_RELEASE:-}" ] || add "TIDEMARK_RELEASE is not set: give the release, as its records have it."
[ -d "${TIDEMARK_FOLDER:-}" ] || add "TIDEMARK_FOLDER must be the folder that the bundler wrote."
if command -v node >/dev/null 2>&1; then
  reader=node
elif command -v jq >/dev/null 2>&1; then
  reader=jq
else
  add "Neither node nor jq is installed, and one of them is needed to take the sources out of a map before it is sent: install one."
fi
if [ -n "$wrong" ]; then
  printf 'No source map was sent.%s\n' "$wrong" >&2
  exit 1
fi

# Every byte but letters and digits as %xx.
encoded() {
  printf '%s' "$1" | LC_ALL=C od -An -v -tx1 | tr -d ' \n' | LC_ALL=C sed 's/../%&/g'
}

# A map without what may stand before it: a mark of the byte order, and a line that keeps it from being run as a script.
mark=$(printf '\357\273\277')
plain() {
  LC_ALL=C sed -e "1s/^$mark//" -e "1{" -e "/^)]}'/{" -e '$!d' -e "s/^)]}'//" -e "}" -e "}" "$1"
}

# The map in the file without the sources themselves (sourcesContent): they need not leave the machine. Fails for what is no
# JSON object, of which nothing could be taken out.
without_sources() {
  if [ "$reader" = node ]; then
    plain "$1" | node -e '
      const map = JSON.parse(require("fs").readFileSync(0, "utf8"))
      if (map === null || typeof map !== "object" || Array.isArray(map)) process.exit(1)
      const sections = Array.isArray(map.sections) ? map.sections : []
      for (const one of [map, ...sections.map((section) => section && section.map)])
        if (one && typeof one === "object") delete one.sourcesContent
      process.stdout.write(JSON.stringify(map))
    '
  else
    plain "$1" | jq -cs '
      def bare: if type == "object" then del(.sourcesContent) else . end;
      if length == 1 and (.[0] | type) == "object" then .[0] else error("not an object") end
      | bare | if (.sections | type) == "array"
        then .sections |= map(if type == "object" and has("map") then .map |= bare else . end) else . end
    '
  fi
}

# What curl says with $1 as its input and the rest as its arguments: `said`, and `code`, 000 where nothing answered. Asks again
# after the answers after which the command line does, for as long.
ask() {
  input=$1 attempt=1 began=$(date +%s)
  shift
  while :; do
    # Headers, an empty line, the body, and the status on a separate line.
    answer=$(printf '%s' "$input" | curl -sS -i --suppress-connect-headers -H 'Expect:' -w '\n%{http_code}' "$@") || answer='
000'
    code=$(printf '%s\n' "$answer" | tail -n 1)
    case $code in
      000) why='cannot be reached' ;;
      408 | 429 | 502 | 503 | 504) why="answered $code" ;;
      *) break ;;
    esac
    pause=$(printf '%s\n' "$answer" | tr -d '\r' | sed -n '1,/^$/s/^[Rr]etry-[Aa]fter: *\([0-9]\{1,4\}\)$/\1/p' | head -n 1)
    [ "${pause:-0}" -ge $((attempt * 2)) ] || pause=$((attempt * 2))
    [ $(($(date +%s) - began + pause)) -le 60 ] || break
    echo "The service $why; trying again in $pause s." >&2
    sleep "$pause"
    attempt=$((attempt + 1))
  done
  said=$(printf '%s\n' "$answer" | sed '$d' | tr -d '\r' | sed '1,/^$/d')
}

bare=$(mktemp)
trap 'rm -f "$bare"' EXIT

# From inside the folder: names are then as they are below it, and none begins with a dash.
cd -- "$TIDEMARK_FOLDER"
sent=0
list=$(find . -name node_modules -prune -o -type f \( -iname '*.js.map' -o -iname '*.mjs.map' -o -iname '*.cjs.map' \) -print)
if [ -z "$list" ]; then
  echo "No source map was sent: $TIDEMARK_FOLDER has none (.js.map). Let the bundler write them." >&2
  exit 1
fi
while IFS= read -r path; do
  file=${path#./}
  file=${file%.???}
  # What node and jq say of a file quotes it, and the log of a CI run is no place for sources.
  if ! without_sources "$path" >"$bare" 2>/dev/null </dev/null; then
    echo "$file was not sent: $file.map is not a source map, which is a JSON object. Build it again." >&2
    exit 1
  fi
  ask "header = \"Authorization: Bearer $TIDEMARK_INGEST_KEY\"" -K - --max-time 120 -X PUT -H 'Content-Type: application/json' \
    --data-binary @"$bare" "$service/v1/sourcemaps?release=$(encoded "$TIDEMARK_RELEASE")&file=$(encoded "$file")"
  case $code:$said in
    # A page from some proxy in between does not mean that it was taken.
    2??:'{"result":'*)
      sent=$((sent + 1))
      printf '%s\n' "$file"
      ;;
    000:*)
      echo "$file was not sent: $TIDEMARK_URL cannot be reached. Check TIDEMARK_URL and that the service is running." >&2
      exit 1
      ;;
    *)
      echo "$file was not sent: the service answered $code." >&2
      printf '%s\n' "$said" | head -c 2000 >&2
      exit 1
      ;;
  esac
done <<END
$list
END
[ "$sent" -eq 1 ] && maps='source map' || maps='source maps'
echo "$sent $maps of release $TIDEMARK_RELEASE can be used."
