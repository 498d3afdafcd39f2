--- Tokenisers: dataset.text.
-- @module torch.dataset.text
for _, name in ipairs { 'Characters', 'Words', 'Bpe' } do
   require('torch.dataset.text.' .. name)
end

return require('torch.dataset.text.common').module
