#!/usr/bin/env bash
# As root on Debian 12: apt learns of NVIDIA's archive, from which cuda_compile and cuda_run of
# lib/cmake/debian.sh come.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/cmake/debian.sh"
archive=https://developer.download.nvidia.com/compute/cuda/repos/debian12/x86_64
install_packages ca-certificates wget
wget --quiet --output-document=/tmp/cuda-keyring.deb "$archive/cuda-keyring_1.1-1_all.deb"
dpkg --install /tmp/cuda-keyring.deb
rm /tmp/cuda-keyring.deb
apt-get update --quiet
