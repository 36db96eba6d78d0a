#!/bin/sh
# Records a deploy in Tidemark. Needs a POSIX shell, curl and awk, nothing else.
#
#   TIDEMARK_URL            address of the service, such as https://logs.example.com
#   TIDEMARK_INGEST_KEY     ingest key of the project
#   TIDEMARK_ENV            where it was deployed to, spelled as the records spell theirs (or TIDEMARK_ENVIRONMENT)
#   optional: TIDEMARK_STATUS TIDEMARK_SHA TIDEMARK_REF TIDEMARK_MESSAGE TIDEMARK_AUTHOR TIDEMARK_EXTERNAL_ID
#             TIDEMARK_RUN_URL TIDEMARK_DEPLOYED_AT
#   TIDEMARK_WAIT           such as 10m, at most 24h: how long to wait for the verdict on the deploy; exits with 3 when it is bad
#   TIDEMARK_FAIL_ON        bad (unless given), suspect (then on bad, too) or never
#
# Anything not given comes from the CI system and from git. The key and everything else go through standard input, never
# arguments, which show up in process lists. Fails unless the deploy was recorded.
set -eu

# Those that are known, with a colon between.
joined() {
  all=
  for one; do [ -z "$one" ] || all=${all:+$all:}$one; done
  printf '%s' "$all"
}

name= run= sha= ref= message= author= url=
environment=${TIDEMARK_ENV:-${TIDEMARK_ENVIRONMENT:-}}
if [ "${GITHUB_ACTIONS:-}" = true ]; then
  # The action passes on what only the event knows: for a pull request GITHUB_SHA is a merge commit that nobody has.
  name=github sha=${TIDEMARK_HEAD_SHA:-${GITHUB_SHA:-}} ref=${GITHUB_HEAD_REF:-${GITHUB_REF_NAME:-}}
  message=${TIDEMARK_HEAD_MESSAGE:-} author=${TIDEMARK_HEAD_AUTHOR:-${GITHUB_ACTOR:-}}
  run=$(joined "${GITHUB_REPOSITORY:-}" "${GITHUB_RUN_ID:-}" "${GITHUB_JOB:-}")
  [ -z "${GITHUB_SERVER_URL:-}" ] || url=$GITHUB_SERVER_URL/${GITHUB_REPOSITORY:-}/actions/runs/${GITHUB_RUN_ID:-}
elif [ "${GITLAB_CI:-}" = true ]; then
  name=gitlab sha=${CI_COMMIT_SHA:-} ref=${CI_COMMIT_REF_NAME:-} message=${CI_COMMIT_MESSAGE:-}
  author=$(printf '%s' "${CI_COMMIT_AUTHOR:-}" | sed 's/ *<[^<>]*> *$//')
  run=$(joined "${CI_SERVER_HOST:-}" "${CI_PIPELINE_ID:-}" "${CI_JOB_NAME:-}") url=${CI_JOB_URL:-${CI_PIPELINE_URL:-}}
  environment=${environment:-${CI_ENVIRONMENT_NAME:-}}
elif [ "${CIRCLECI:-}" = true ]; then
  name=circleci sha=${CIRCLE_SHA1:-} ref=${CIRCLE_TAG:-${CIRCLE_BRANCH:-}} author=${CIRCLE_USERNAME:-}
  run=$(joined "${CIRCLE_WORKFLOW_ID:-}" "${CIRCLE_JOB:-}") url=${CIRCLE_BUILD_URL:-}
elif [ "${BUILDKITE:-}" = true ]; then
  name=buildkite sha=${BUILDKITE_COMMIT:-} ref=${BUILDKITE_TAG:-${BUILDKITE_BRANCH:-}} message=${BUILDKITE_MESSAGE:-}
  [ "$sha" != HEAD ] || sha=
  author=${BUILDKITE_BUILD_AUTHOR:-${BUILDKITE_BUILD_CREATOR:-}} url=${BUILDKITE_BUILD_URL:-}
  run=$(joined "${BUILDKITE_BUILD_ID:-}" "${BUILDKITE_STEP_KEY:-${BUILDKITE_STEP_ID:-}}")
elif [ -n "${BITBUCKET_BUILD_NUMBER:-}" ]; then
  name=bitbucket sha=${BITBUCKET_COMMIT:-} ref=${BITBUCKET_TAG:-${BITBUCKET_BRANCH:-}}
  run=$(joined "${BITBUCKET_REPO_FULL_NAME:-}" "$BITBUCKET_BUILD_NUMBER")
  [ -z "${BITBUCKET_GIT_HTTP_ORIGIN:-}" ] || url=$BITBUCKET_GIT_HTTP_ORIGIN/pipelines/results/$BITBUCKET_BUILD_NUMBER
  environment=${environment:-${BITBUCKET_DEPLOYMENT_ENVIRONMENT:-}}
elif [ -n "${JENKINS_URL:-}" ]; then
  name=jenkins sha=${GIT_COMMIT:-} ref=${GIT_BRANCH:-} url=${BUILD_URL:-}
  ref=${TAG_NAME:-${BRANCH_NAME:-${ref#origin/}}} author=${CHANGE_AUTHOR_DISPLAY_NAME:-${GIT_AUTHOR_NAME:-}}
  run=${BUILD_URL:-$JENKINS_URL${JOB_NAME:-}/${BUILD_NUMBER:-}}
fi

# For a commit other than the one that CI runs for, as in a rollback, CI's ref, author and message say nothing.
# Of two names of one commit, one may be the beginning of the other's hash: seven digits or more, with a number among them.
lower() { printf '%s' "$1" | tr '[:upper:]' '[:lower:]'; }
is_hash() { case $1 in *[!0-9a-f]*) return 1 ;; *[0-9]*) [ ${#1} -ge 7 ] ;; *) return 1 ;; esac }
begins() { [ "$1" = "$2" ] || { is_hash "$1" && is_hash "$2" && case $1 in "$2"*) ;; *) return 1 ;; esac }; }
given=$(lower "${TIDEMARK_SHA:-$sha}") found=$(lower "${sha:-${TIDEMARK_SHA:-}}")
begins "$given" "$found" || begins "$found" "$given" || ref= author= message=
sha=${TIDEMARK_SHA:-$sha} head=$(git rev-parse HEAD 2>/dev/null || true)
sha=${sha:-$head}
from_git() { git log -1 "--format=$1" --end-of-options "$sha^{commit}" 2>/dev/null || true; }
message=${TIDEMARK_MESSAGE:-$message}
[ -n "$message" ] || [ -z "$sha" ] || message=$(from_git %B)
author=${TIDEMARK_AUTHOR:-$author}
[ -n "$author" ] || [ -z "$sha" ] || author=$(from_git %an)

[ -n "$name" ] || [ -z "$head" ] || [ "$(from_git %H)" != "$head" ] ||
  ref=$(git symbolic-ref -q --short HEAD || git describe --tags --exact-match HEAD 2>/dev/null || true)

status=
case $(lower "${TIDEMARK_STATUS:-succeeded}") in
  succeeded | success | passed) status=succeeded ;;
  failed | failure | unstable) status=failed ;;
  cancelled | canceled | aborted) status=cancelled ;;
esac

service=${TIDEMARK_URL:-} service=${service%/} service=${service%/v1/logs}
wrong=
add() { wrong="$wrong
  - $1"; }
case ${TIDEMARK_URL:-} in
  http://?* | https://?*) ;;
  *) add "TIDEMARK_URL must be the address of the service, such as https://logs.example.com." ;;
esac
[ -n "${TIDEMARK_INGEST_KEY:-}" ] || add "TIDEMARK_INGEST_KEY is not set: store the ingest key as a secret of the CI system."
[ -n "$environment" ] || add "The environment is missing: set TIDEMARK_ENV, spelled as the records spell theirs."
[ -n "$sha" ] || add "The revision is missing: set TIDEMARK_SHA."
[ -n "$status" ] || add "TIDEMARK_STATUS is \"${TIDEMARK_STATUS:-}\": it must be succeeded, failed or cancelled."
fail_on=${TIDEMARK_FAIL_ON:-bad} patience=
case $fail_on in
  bad | suspect | never) ;;
  *) add "TIDEMARK_FAIL_ON is \"$fail_on\": it must be bad, suspect or never." ;;
esac
if [ -n "${TIDEMARK_WAIT:-}" ]; then
  amount=${TIDEMARK_WAIT%[smh]} unit=${TIDEMARK_WAIT##*[0-9]}
  case $amount:$unit in
    *[!0-9]*:* | :* | 0?*:* | ??????*:*) ;;
    *:s) patience=$amount ;;
    *:m) patience=$((amount * 60)) ;;
    *:h) patience=$((amount * 3600)) ;;
  esac
  [ -n "$patience" ] && [ "$patience" -le 86400 ] ||
    add "TIDEMARK_WAIT is \"$TIDEMARK_WAIT\": it must be one number with s, m or h, at most 24h, such as 10m or 90s."
fi
if [ -n "$wrong" ]; then
  printf 'The deploy was not recorded.%s\n' "$wrong" >&2
  exit 1
fi

# Where the run is unknown the id is unique: it only keeps a request that is retried from being recorded twice.
[ -n "$run" ] || name=script run=$(date -u +%Y%m%dT%H%M%SZ).$$
id=$name:$run:$environment
# Too long for the service, in bytes: the checksum of all of it replaces what will be cut off. The command line does the same.
[ $(printf '%s' "$id" | wc -c) -le 255 ] || id=$name:$(printf '%s' "$id" | cksum | tr ' ' .):$run:$environment
id=${TIDEMARK_EXTERNAL_ID:-$id}

# A JSON string of at most $2 bytes. Cut between characters, because half of one would be refused.
json() {
  printf '%s' "$1" | LC_ALL=C awk -v max="$2" '
    BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i }
    { text = text (NR > 1 ? "\n" : "") $0 }
    END {
      if (length(text) > max) {
        while (max > 0 && code[substr(text, max + 1, 1)] >= 128 && code[substr(text, max + 1, 1)] < 192) max--
        text = substr(text, 1, max)
      }
      out = ""
      for (i = 1; i <= length(text); i++) {
        one = substr(text, i, 1)
        if (one == "\\" || one == "\"") out = out "\\" one
        else if (code[one] < 32 || code[one] == 127) out = out sprintf("\\u%04x", code[one])
        else out = out one
      }
      printf "\"%s\"", out
    }'
}

field() { [ -z "$2" ] || printf ',"%s":%s' "$1" "$(json "$2" "$3")"; }

body() {
  printf '{"projectApiKey":%s' "$(json "$TIDEMARK_INGEST_KEY" 1000)"
  field sha "$sha" 255
  field environment "$environment" 1000
  field deployedAt "${TIDEMARK_DEPLOYED_AT:-$(date -u +%Y-%m-%dT%H:%M:%SZ)}" 64
  field status "$status" 20
  field externalId "$id" 255
  field ref "${TIDEMARK_REF:-$ref}" 255
  field author "$author" 255
  field message "$message" 10000
  field url "${TIDEMARK_RUN_URL:-$url}" 2048
  printf '}'
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

ask "$(body)" --max-time 30 -X POST -H 'Content-Type: application/json' --data-binary @- "$service/v1/deploys"
case $code:$said in
  # A page from some proxy in between does not mean that it was recorded.
  2??:*'"deploy":'*)
    echo "Recorded the $status deploy of $sha to $environment."
    printf '%s\n' "$said" | sed -n 's/.*"url":"\([^"]*\)"}$/\1/p'
    ;;
  000:*)
    echo "The deploy was not recorded: $TIDEMARK_URL cannot be reached. Check TIDEMARK_URL and that the service is running." >&2
    exit 1
    ;;
  *)
    echo "The deploy was not recorded: the service answered $code." >&2
    printf '%s\n' "$said" | head -c 2000 >&2
    exit 1
    ;;
esac

[ -n "$patience" ] || exit 0
deploy=$(printf '%s\n' "$said" | sed -n 's/.*"deploy":{"id":"\([A-Za-z0-9_-]*\)".*/\1/p')
# The text of each reason on its own line; what is escaped in it stays so, but for quotes and backslashes.
reasons() {
  awk '{
    at = index($0, "\"reasons\":[")
    if (at == 0) exit
    rest = substr($0, at + 11)
    while (substr(rest, 1, 1) == "\"") {
      out = ""
      for (i = 2; i <= length(rest); i++) {
        one = substr(rest, i, 1)
        if (one == "\"") break
        if (one == "\\" && substr(rest, i + 1, 1) ~ /["\\]/) { i++; one = substr(rest, i, 1) }
        out = out one
      }
      print "  - " out
      rest = substr(rest, i + 1)
      sub(/^,/, "", rest)
    }
  }'
}

# In parts, because proxies cut connections that are silent for a minute.
ends=$(($(date +%s) + patience))
while :; do
  left=$((ends - $(date +%s)))
  [ "$left" -gt 0 ] || left=0
  [ "$left" -le 45 ] || left=45
  ask "header = \"Authorization: Bearer $TIDEMARK_INGEST_KEY\"" -K - --max-time 120 "$service/v1/deploys/$deploy/verdict?wait=${left}s"
  case $code:$said in
    2??:'{"verdict":'*) ;;
    *)
      [ "$code" = 000 ] && why='cannot be reached' || why="answered $code"
      echo "The deploy was recorded, but its verdict could not be asked for: the service $why." >&2
      printf '%s\n' "$said" | head -c 2000 >&2
      exit 1
      ;;
  esac
  verdict=$(printf '%s\n' "$said" | sed -n 's/^{"verdict":"\{0,1\}\([a-z_]*\)"\{0,1\},.*/\1/p')
  case $verdict:$said in
    too_early:*'"checkAgainAt":null'*) break ;;
    too_early:*) [ "$(date +%s)" -lt "$ends" ] || break ;;
    *) break ;;
  esac
done
expected=$(printf '%s\n' "$said" | sed -n 's/.*"checkAgainAt":"\([0-9TZ:.-]*\)".*/\1/p')
case $verdict in
  null) echo "Verdict: none." ;;
  too_early) echo "Verdict: too early to tell${expected:+ after $TIDEMARK_WAIT. A verdict is expected at about $expected}." ;;
  *) echo "Verdict: ${verdict:-unknown}." ;;
esac
printf '%s\n' "$said" | reasons
case $verdict:$fail_on in
  bad:never | suspect:never) ;;
  bad:* | suspect:suspect) exit 3 ;;
  suspect:*) echo "Warning: the deploy is suspect. TIDEMARK_FAIL_ON=suspect stops here." >&2 ;;
esac
