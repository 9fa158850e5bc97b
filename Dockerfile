# The appliance in one image, for a machine that may have no internet. Two targets of one build:
#
#   docker build --target cpu -t console-docs-appliance:cpu .    everything but vLLM and training
#   docker build --target gpu -t console-docs-appliance:gpu .    with them, in an environment of their own
#
# `scripts/image build` does it and passes version and commit. Behind a proxy with a certificate of
# its own: --secret id=ca_bundle,src=FILE (nothing of it stays in the image).

# Debian 12 or later. The GPU target needs no CUDA in it: the wheels bring CUDA's libraries, the
# host brings the driver (NVIDIA's container toolkit, `--gpus all`).
ARG BASE_IMAGE=debian:bookworm-slim

# ---- what the system has to give: changes least, so it comes first
FROM ${BASE_IMAGE} AS system
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      ca-certificates chromium-headless-shell fontconfig fonts-noto-cjk libatomic1 \
      libnss3-tools python3 tini \
 # Drivers of graphics cards, which a browser without windows never loads: 160 MB.
 && rm -rf /usr/lib/*/dri /usr/lib/*/libLLVM* /usr/lib/*/libz3.so* \
 # The licences of the packages stay: they go with what is passed on.
 && find /usr/share/doc -type f ! -name copyright -delete \
 && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/*.log /usr/share/man
# 10001: no user of a host has it. The folders are there so that volumes begin with its rights.
RUN groupadd --gid 10001 appliance \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin appliance \
 && mkdir -p /data /models /etc/appliance /opt/appliance \
 && chown appliance:appliance /data \
 && chmod 700 /data

# ---- Python packages: built beside, so that pip and its caches stay out
FROM ${BASE_IMAGE} AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates python3-venv \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/appliance
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1

FROM build AS packages
COPY constraints.txt constraints-image.txt ./
RUN --mount=type=secret,id=ca_bundle,target=/run/ca-bundle.crt \
    if [ -s /run/ca-bundle.crt ]; then export PIP_CERT=/run/ca-bundle.crt; fi; \
    python3 -m venv venv \
 && venv/bin/pip install --no-deps --require-hashes -r constraints.txt -r constraints-image.txt \
 && venv/bin/pip uninstall -y pip setuptools \
 && find venv -name tests -path '*/site-packages/*/tests' -prune -exec rm -rf {} +

# ---- vLLM and training have pins of their own, which the rest does not share: a second environment
FROM build AS model
COPY constraints-gpu.txt ./
RUN --mount=type=secret,id=ca_bundle,target=/run/ca-bundle.crt \
    if [ -s /run/ca-bundle.crt ]; then export PIP_CERT=/run/ca-bundle.crt; fi; \
    python3 -m venv /opt/model \
 && /opt/model/bin/pip install --no-deps --require-hashes -r constraints-gpu.txt \
 && /opt/model/bin/pip uninstall -y pip

# ---- the appliance itself: changes most, so it comes last
FROM system AS appliance
COPY --from=packages /opt/appliance/venv /opt/appliance/venv
COPY terraform /opt/appliance/terraform
COPY docs /opt/appliance/docs
COPY scripts/seccomp-chromium.json config.example.yaml README.md README.zh.md CHANGELOG.md LICENSE LICENCES.md /opt/appliance/
COPY appliance /opt/appliance/appliance
ARG COMMIT=
RUN printf '%s' "$COMMIT" > /opt/appliance/appliance/COMMIT \
 && printf '/opt/appliance\n' > "$(echo /opt/appliance/venv/lib/python3*/site-packages)/appliance.pth" \
 && printf '#!/bin/sh\nexec /opt/appliance/venv/bin/python -m appliance.cli "$@"\n' > /usr/local/bin/appliance \
 && chmod +x /usr/local/bin/appliance \
 && /opt/appliance/venv/bin/python -m compileall -q /opt/appliance/appliance /opt/appliance/terraform
ENV APPLIANCE_DATA_DIR=/data \
    APPLIANCE_SERVER__HOST=0.0.0.0 \
    HOME=/tmp \
    LANG=C.UTF-8 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
ARG VERSION=0
LABEL org.opencontainers.image.title="Console Docs Appliance" \
      org.opencontainers.image.description="Carries out cloud-console documentation in the live console and says which sentences are no longer true" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$COMMIT"
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/opt/appliance/venv/bin/python", "-c", "import json, os, ssl, urllib.request as u; u.urlopen(json.load(open(os.environ['APPLIANCE_DATA_DIR'] + '/server.json'))['url'] + '/readyz', timeout=4, context=ssl._create_unverified_context())"]
ENTRYPOINT ["/usr/bin/tini", "--", "appliance"]
CMD ["serve"]

FROM appliance AS gpu
COPY --from=model /opt/model /opt/model
ENV APPLIANCE_MODEL__SERVER__COMMAND=/opt/model/bin/vllm \
    NVIDIA_VISIBLE_DEVICES=all \
    NVIDIA_DRIVER_CAPABILITIES=compute,utility
LABEL org.opencontainers.image.title="Console Docs Appliance (GPU)"

FROM appliance AS cpu
