# Image of errgate. Build it with `docker build -t errgate .`; docs/running.md has how to run it.
FROM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
COPY . .
RUN node scripts/build.js && find dist -name '*.map' -delete && npm prune --omit=dev --no-audit --no-fund

FROM docker.io/library/node:24-bookworm-slim
ARG VERSION=0.0.0
ARG REVISION=
LABEL org.opencontainers.image.title="errgate" \
  org.opencontainers.image.description="Error-tracking gateway" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.base.name="docker.io/library/node:24-bookworm-slim" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION"
WORKDIR /app
COPY --from=build /src/package.json /src/LICENSE /src/README.md ./
COPY --from=build /src/bin bin
COPY --from=build /src/config config
COPY --from=build /src/node_modules node_modules
COPY --from=build /src/dist dist
# A number, because Kubernetes cannot know that a name is not root. The folder is there for volumes that take its owner.
RUN mkdir -m 0700 /data && chown 10001:10001 /data
USER 10001:10001
ENV NODE_ENV=production ERRGATE_HOST=0.0.0.0 ERRGATE_PORT=8080 ERRGATE_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ERRGATE_PORT}/-/liveness`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/errgate.js"]
CMD ["serve"]
