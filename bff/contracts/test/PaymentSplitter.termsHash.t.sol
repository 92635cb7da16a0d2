// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPaymentSplitter} from "../src/IPaymentSplitter.sol";
import {PaymentDetails} from "../src/PaymentDetails.sol";
import {SplitterTest} from "./SplitterTest.sol";

contract TermsHashTest is SplitterTest {
    function test_itIsTheHashOfChainContractAndEveryField(PaymentDetails memory details, uint64 chainId) public {
        vm.assume(chainId > 0);
        vm.chainId(chainId);
        vm.assertEq(splitter.termsHash(details), _expected(details), "hash");
    }

    function test_everyFieldMakesItAnother(PaymentDetails memory details, uint256 which, uint160 seed) public view {
        bytes32 hash = splitter.termsHash(details);
        uint160 change = seed == 0 ? 1 : seed;
        which %= 9;
        if (which == 0) details.token = _other(details.token, change);
        if (which == 1) details.amount ^= change;
        if (which == 2) details.paymentId = string.concat(details.paymentId, "x");
        if (which == 3) details.recipient1 = _other(details.recipient1, change);
        if (which == 4) details.recipient2 = _other(details.recipient2, change);
        if (which == 5) details.recipient3 = _other(details.recipient3, change);
        if (which == 6) details.recipient1Percentage ^= change;
        if (which == 7) details.recipient2Percentage ^= change;
        if (which == 8) details.recipient3Percentage ^= change;
        vm.assertTrue(splitter.termsHash(details) != hash, "another hash");
    }

    function test_anotherSplitterOrChainMakesItAnother() public {
        PaymentDetails memory details = usdcDetails();
        bytes32 hash = splitter.termsHash(details);
        vm.assertTrue(IPaymentSplitter(deploy("PAYMENT_SPLITTER")).termsHash(details) != hash, "another splitter");
        vm.chainId(8453);
        vm.assertTrue(splitter.termsHash(details) != hash, "another chain");
    }

    function test_aPaymentOnAnotherChainIsAnotherPayment() public {
        PaymentDetails memory details = fund(usdcDetails());
        pay(details);
        vm.chainId(8453);
        pay(fund(details));
        vm.assertEq(usdc.balanceOf(MERCHANT), 2 * (DUE - FEE), "merchant");
    }

    /// @dev A tuple may put its text anywhere; what is hashed is the text.
    function test_howTheTextIsPackedChangesNothing() public {
        PaymentDetails memory details = fund(usdcDetails());
        bytes memory call = abi.encodeCall(splitter.splitPayment, (details));
        bytes memory shifted = bytes.concat(
            _cut(call, 0, 4 + 0x20 + 9 * 0x20), new bytes(0x20), _cut(call, 4 + 0x20 + 9 * 0x20, call.length)
        );
        shifted[4 + 0x20 + 3 * 0x20 - 1] = 0x40;
        shifted[4 + 0x20 + 3 * 0x20 - 2] = 0x01;
        vm.prank(payer);
        (bool isOk,) = address(splitter).call(shifted);
        vm.assertTrue(isOk, "paid");
        vm.assertTrue(splitter.isPaid(_expected(details)), "under the same hash");
    }

    function test_bitsBeyondAnAddressPayNothing(uint256 which) public {
        uint256[4] memory places = [uint256(0), 3, 4, 5];
        PaymentDetails memory details = fund(usdcDetails());
        bytes memory call = abi.encodeCall(splitter.splitPayment, (details));
        call[4 + 0x20 + places[which % 4] * 0x20] = 0x01;
        vm.prank(payer);
        (bool isOk,) = address(splitter).call(call);
        vm.assertTrue(!isOk, "refused");
        assertBalance(details, payer, DUE, "payer");
    }

    function _expected(PaymentDetails memory details) private view returns (bytes32) {
        bytes memory terms =
            abi.encode(block.chainid, splitter, details.token, details.amount, keccak256(bytes(details.paymentId)));
        bytes memory recipients = abi.encode(details.recipient1, details.recipient2, details.recipient3);
        bytes memory shares =
            abi.encode(details.recipient1Percentage, details.recipient2Percentage, details.recipient3Percentage);
        return keccak256(bytes.concat(terms, recipients, shares));
    }

    function _other(address account, uint160 change) private pure returns (address) {
        return address(uint160(account) ^ change);
    }

    function _cut(bytes memory text, uint256 from, uint256 to) private pure returns (bytes memory part) {
        part = new bytes(to - from);
        for (uint256 i = from; i < to; ++i) {
            part[i - from] = text[i];
        }
    }
}
