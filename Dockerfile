# The service as an image: not root, nothing to write but /data and /tmp, Node itself as the first process.
# Linux on x64. npm has no log engine for Linux on arm64: build with --platform=linux/amd64 there, or keep the logs in a
# ClickHouse server (TIDEMARK_CLICKHOUSE_URL); docs/installing.md says more.
# scripts/try-image.mjs carries this file out without Docker, so it uses only the instructions that the script knows.

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/wire/package.json packages/wire/
COPY packages/server/package.json packages/server/
COPY packages/web/package.json packages/web/
COPY packages/sdk/package.json packages/sdk/
COPY packages/demo/package.json packages/demo/
COPY packages/cli/package.json packages/cli/
RUN npm ci --omit=dev

FROM packages AS build
RUN npm ci --include=dev
COPY LICENSE tsconfig.json tsconfig.base.json ./
COPY docs/sdk.md docs/
COPY scripts scripts
COPY packages packages
RUN node scripts/build.mjs

FROM node:24.21.0-bookworm-slim
# git and ssh fetch connected repositories; ssh wants a user with a name. npm is of no use to a running service.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates git openssh-client \
 && rm -rf /var/lib/apt/lists/* /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx \
 && groupadd --gid 10001 tidemark \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin tidemark \
 && install --directory --mode=0700 --owner=10001 --group=10001 /data \
 && ln -s /app/packages/cli/bin/tidemark.mjs /usr/local/bin/tidemark
WORKDIR /app
COPY --from=packages /app ./
COPY --from=build /app/packages/wire/dist packages/wire/dist
COPY --from=build /app/packages/server/bundle packages/server/bundle
COPY --from=build /app/packages/server/dist/packages packages/server/dist/packages
COPY --from=build /app/packages/web/dist packages/web/dist
COPY --from=build /app/packages/demo/dist packages/demo/dist
COPY --from=build /app/packages/cli/bundle packages/cli/bundle
COPY packages/cli/bin packages/cli/bin
COPY LICENSE ./
# Reached through a published port, so it listens on every address; it answers to the host of the public URL alone.
ENV NODE_ENV=production TIDEMARK_HOST=0.0.0.0 TIDEMARK_DATA_DIR=/data TIDEMARK_PUBLIC_URL=http://localhost:4700
USER 10001:10001
VOLUME ["/data"]
EXPOSE 4700
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TIDEMARK_PORT || 4700}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "packages/cli/bin/tidemark.mjs", "serve"]
