# The main job in one command, also where Spot has no wheel (macOS, ARM):
#     docker run --rm $(docker build -q .)
# Other commands follow the image's name: docker run --rm IMAGE run ltlbench n=20
FROM --platform=linux/amd64 python:3.12-slim-bookworm
RUN apt-get update && apt-get install -y --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /harness
COPY . .
RUN make setup
ENV PATH=/harness/.venv/bin:$PATH
ENTRYPOINT ["harness"]
CMD ["run", "plugin=ltlbench"]
