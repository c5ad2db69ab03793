# The service alone; compose.yaml runs it with its PostgreSQL.
ARG PYTHON=3.11

FROM python:${PYTHON}-slim-bookworm AS build
RUN pip install --no-cache-dir "uv>=0.9"
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY migrations migrations
COPY clients clients
COPY service service
RUN python -m venv --without-pip /opt/pasyans \
    && uv pip install --no-cache --python /opt/pasyans/bin/python --compile-bytecode -c constraints.txt .

FROM python:${PYTHON}-slim-bookworm
RUN useradd --system --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin pasyans
COPY --from=build /opt/pasyans /opt/pasyans
ENV PATH=/opt/pasyans/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PASYANS_HOST=0.0.0.0
USER pasyans
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f\"http://127.0.0.1:{os.environ.get('PASYANS_PORT') or 8000}/readyz\", timeout=2)"]
ENTRYPOINT ["pasyansd"]
CMD ["serve"]
