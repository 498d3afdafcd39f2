#!/usr/bin/env bash
# From a bare Debian 12 to a trained network: installs the packages that are missing, builds, and
# trains LeNet on Fashion-MNIST. Arguments go to the training script, e.g. --epochs 10.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source lib/cmake/debian.sh

install_packages "${build_packages[@]}" "${run_packages[@]}" "${example_packages[@]}"
build_preset cpu runtime # what th and an installation need
exec build/cpu/bin/th examples/fashion_mnist/train.lua "$@"
