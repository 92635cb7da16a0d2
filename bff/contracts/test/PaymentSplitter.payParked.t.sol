// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IPaymentSplitter} from "../src/IPaymentSplitter.sol";
import {PaymentDetails} from "../src/PaymentDetails.sol";
import {MoodyToken} from "./SplitTokens.sol";
import {SplitterTest} from "./SplitterTest.sol";

contract PayParkedTest is SplitterTest {
    function test_anyonePaysAllParkedSharesOnceTheRecipientCanTakeThem(uint256 amount, uint256 other) public {
        usdc.blacklist(PLATFORM);
        uint256 parked = _park("first", bound(amount, 67, 1e30)) + _park("second", bound(other, 67, 1e30));
        vm.assertEq(splitter.parked(address(usdc), PLATFORM), parked, "parked");
        vm.expectRevert(bytes("Blacklistable: account is blacklisted"));
        splitter.payParked(address(usdc), PLATFORM);

        usdc.unBlacklist(PLATFORM);
        vm.prank(STRANGER);
        splitter.payParked(address(usdc), PLATFORM);

        vm.assertEq(usdc.balanceOf(PLATFORM), parked, "platform");
        vm.assertEq(usdc.balanceOf(address(splitter)), 0, "splitter");
        _expectNothingParked(address(usdc), PLATFORM);
    }

    function test_nobodyElseIsPaidAParkedShare(address recipient) public {
        vm.assume(recipient != PLATFORM);
        usdc.blacklist(PLATFORM);
        _park("first", DUE);
        _expectNothingParked(address(usdc), recipient);
        _expectNothingParked(address(usdt), PLATFORM);
        vm.assertEq(usdc.balanceOf(address(splitter)), FEE, "splitter");
    }

    function test_aLaterPaymentIsPaidDirectlyAndLeavesWhatIsParked() public {
        usdc.blacklist(PLATFORM);
        _park("first", DUE);
        usdc.unBlacklist(PLATFORM);
        _park("second", DUE);
        vm.assertEq(usdc.balanceOf(PLATFORM), FEE, "platform");
        vm.assertEq(splitter.parked(address(usdc), PLATFORM), FEE, "parked");
    }

    function test_aTokenThatCallsBackPaysAParkedShareOnce() public {
        MoodyToken token = new MoodyToken();
        token.refuse(PLATFORM, MoodyToken.Refusal.Reverts);
        pay(fund(detailsOf(address(token))));
        token.refuse(address(0), MoodyToken.Refusal.Reverts);
        token.mint(address(splitter), DUE);
        token.callBack(address(splitter), abi.encodeCall(splitter.payParked, (address(token), PLATFORM)));
        splitter.payParked(address(token), PLATFORM);
        vm.assertEq(
            token.answer(),
            abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector),
            "in vain"
        );
        vm.assertEq(token.balanceOf(PLATFORM), FEE, "platform");
    }

    function _park(string memory id, uint256 amount) private returns (uint256 share) {
        PaymentDetails memory details = usdcDetails();
        (details.paymentId, details.amount) = (id, amount);
        pay(fund(details));
        return details.amount * details.recipient2Percentage / BPS;
    }

    function _expectNothingParked(address token, address recipient) private {
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.NothingParked.selector, token, recipient));
        splitter.payParked(token, recipient);
    }
}
