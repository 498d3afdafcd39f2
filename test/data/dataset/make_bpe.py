# Trains byte pairs on text.txt and writes what it learnt, and how it encodes some texts.
# Made with tokenizers 0.23.3 (PyPI) and Python 3.11:
#     python3 test/data/dataset/make_bpe.py test/data/dataset
import json
import sys

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

folder = sys.argv[1]
tokenizer = Tokenizer(models.BPE())
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokenizer.decoder = decoders.ByteLevel()
trainer = trainers.BpeTrainer(
    vocab_size=420, min_frequency=2, show_progress=False,
    initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()))
tokenizer.train([folder + '/text.txt'], trainer)
tokenizer.model.save(folder)

TEXTS = [
    'The workers read samples.', "they've tested what we don't know: it's 100 samples!",
    '  two  spaces   three\n\n\nlines\t tabs \n', ' ', '', "'s 'S ''ll x'd",
    'Größe und Übermaß: naïve façade', 'Москва 東京 ½¾ ٣٤ ⅷ', 'emoji 🙂🙂 and \u200b zero width',
    '\u00a0non-breaking\u3000ideographic  spaces', 'a' * 40, '12345 1 a1b2 _x_ --- ...!',
    'e\u0301 combining, ſ long s, ª º ʰ', 'tab\tthen word', 'ends with spaces   ', 'CamelCaseWORDS',
    '\x00\x01\x7f control', 'x\r\ny\r\n', "workers' samples' and batches'",
]
with open(folder + '/encodings.json', 'w') as out:
    json.dump([[text, tokenizer.encode(text).ids] for text in TEXTS], out, indent=0)
    out.write('\n')
